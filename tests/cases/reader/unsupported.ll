; What Clew does not model is kept as text; the rest of the program stays usable.
target datalayout = "e-m:e-i64:64-f80:128-n8:16:32:64-S128"

define i32 @exceptions(i32 %x) personality ptr @personality {
entry:
  %r = invoke i32 @callee(i32 %x)
          to label %ok unwind label %bad

ok:                                               ; preds = %bad, %entry
  %p = phi i32 [ %r, %entry ], [ 0, %bad ]
  ret i32 %p

bad:                                              ; preds = %entry
  %l = landingpad { ptr, i32 }
          cleanup
          catch ptr null
  %m = extractvalue { ptr, i32 } %l, 1
  br i1 true, label %ok, label %worse

worse:
  resume { ptr, i32 } %l
}

define void @jumps(i32 %x) {
entry:
  callbr void asm sideeffect "jmp ${0:l}", "!i"() #0
          to label %next [label %out]

next:                                             ; preds = %entry
  br label %out

out:                                              ; preds = %entry, %next
  ret void
}

define <vscale x 4 x i32> @scalable(<vscale x 4 x i32> %v, token %t, target("spirv.Image", i32) %s) {
entry:
  %a = alloca <vscale x 4 x i32>, align 16
  %b = add <vscale x 4 x i32> %v, %v
  %c = load <vscale x 4 x i32>, ptr %a, align 16
  %d = frobnicate i32 3, 4
  %e = call token @llvm.call.preallocated.setup(i32 1)
  call void @use(token none)
  ret <vscale x 4 x i32> %b
}

declare i32 @personality(...)
declare i32 @callee(i32)
declare token @llvm.call.preallocated.setup(i32)
declare void @use(token)
