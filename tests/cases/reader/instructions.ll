; Every instruction Clew models, in the forms Clang and LLVM's passes print.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

%struct.S = type { i32, [4 x i8], ptr }
%union.U = type { i64 }
%struct.packed = type <{ i8, i32 }>

@g = external global %struct.S

define i32 @arith(i32 %a, i32 %b) {
  %1 = add nuw nsw i32 %a, 1
  %2 = sub i32 0, %1
  %3 = mul nsw i32 %2, -7
  %4 = udiv exact i32 %3, 4294967295
  %5 = sdiv i32 %4, %b
  %6 = urem i32 %5, 10
  %7 = srem i32 %6, 10
  %8 = shl i32 %7, 3
  %9 = lshr exact i32 %8, 1
  %10 = ashr i32 %9, 1
  %11 = and i32 %10, 255
  %12 = or disjoint i32 %11, 256
  %13 = xor i32 %12, -1
  %14 = icmp samesign ult i32 %13, 5
  %15 = select i1 %14, i32 %13, i32 undef
  %16 = freeze i32 %15
  %17 = icmp eq ptr @g, null
  %18 = zext nneg i1 %17 to i32
  %19 = trunc nuw nsw i32 %16 to i8
  %20 = sext i8 %19 to i32
  %21 = add i32 %18, %20
  ret i32 %21
}

define double @floats(float %x, double %y, half %h, x86_fp80 %l, fp128 %q, bfloat %bf) {
entry:
  %a = fadd fast float %x, 1.000000e+00
  %b = fsub nnan ninf nsz double %y, 0x7FF0000000000000
  %c = fmul float %a, 0x3FB99999A0000000
  %d = fdiv arcp contract afn reassoc double %b, 0x7FF8000000000000
  %e = frem double %d, -0.000000e+00
  %f = fneg float %c
  %g = fpext float %f to double
  %h2 = fadd half %h, 0xH3C00
  %l2 = fadd x86_fp80 %l, 0xK3FFF8CCCCCCCCCCCCCCD
  %q2 = fadd fp128 %q, 0xL00000000000000003FFF000000000000
  %bf2 = fadd bfloat %bf, 0xR3F80
  %i = fptosi double %g to i64
  %j = fptoui float %f to i8
  %k = sitofp i64 %i to double
  %m = uitofp nneg i8 %j to double
  %n = fptrunc double %m to float
  %o = fcmp oeq float %n, %x
  %p = fcmp fast uno double %k, 0.000000e+00
  %r = select fast i1 %o, double %k, double %e
  ret double %r
}

define void @memory(ptr %p, i64 %n) {
entry:
  %a = alloca i32, align 4
  %b = alloca [4 x %struct.S], align 16
  %c = alloca i8, i64 %n, align 16
  %d = alloca %struct.packed
  %1 = load i32, ptr %a, align 4
  %2 = load volatile i32, ptr %a
  %3 = load atomic i32, ptr %p seq_cst, align 4
  %4 = load atomic volatile i64, ptr %p syncscope("singlethread") acquire, align 8
  store i32 %1, ptr %p, align 4
  store volatile ptr null, ptr %p, align 8
  store atomic i32 5, ptr %p release, align 4
  %5 = getelementptr inbounds nuw %struct.S, ptr %p, i64 %n, i32 1, i64 2
  %6 = getelementptr i8, ptr @g, i64 -1
  %7 = getelementptr inbounds %struct.S, ptr getelementptr inbounds (%struct.S, ptr @g, i64 1), i64 0, i32 2
  %8 = ptrtoint ptr %7 to i64
  %9 = inttoptr i64 %8 to ptr
  %10 = addrspacecast ptr %9 to ptr addrspace(1)
  %11 = bitcast i64 %8 to double
  %12 = atomicrmw add ptr %p, i32 3 seq_cst, align 4
  %13 = atomicrmw volatile xchg ptr %p, i64 3 syncscope("singlethread") monotonic, align 8
  %14 = cmpxchg weak volatile ptr %p, i32 0, i32 1 acq_rel monotonic, align 4
  %15 = extractvalue { i32, i1 } %14, 1
  fence syncscope("singlethread") seq_cst
  fence acquire
  ret void
}

define { i32, [2 x ptr] } @aggregates(ptr %list) {
entry:
  %a = insertvalue { i32, [2 x ptr] } poison, i32 1, 0
  %b = insertvalue { i32, [2 x ptr] } %a, ptr %list, 1, 1
  %c = extractvalue { i32, [2 x ptr] } %b, 1, 0
  %d = va_arg ptr %list, i32
  %e = insertvalue { i32, [2 x ptr] } %b, i32 %d, 0
  ret { i32, [2 x ptr] } %e
}

define <4 x i32> @vectors(<4 x i32> %v, i64 %i) {
entry:
  %a = extractelement <4 x i32> %v, i64 %i
  %b = insertelement <4 x i32> %v, i32 %a, i32 0
  %c = shufflevector <4 x i32> %b, <4 x i32> poison, <4 x i32> <i32 0, i32 poison, i32 3, i32 3>
  %d = shufflevector <4 x i32> %b, <4 x i32> %c, <2 x i32> zeroinitializer
  %e = add <4 x i32> %c, splat (i32 5)
  %f = icmp slt <4 x i32> %e, <i32 1, i32 2, i32 -3, i32 undef>
  %g = select <4 x i1> %f, <4 x i32> %e, <4 x i32> zeroinitializer
  %h = getelementptr i8, ptr @g, <4 x i64> splat (i64 4)
  %i2 = call i32 @llvm.vector.reduce.add.v4i32(<4 x i32> %g)
  ret <4 x i32> %g
}

declare i32 @llvm.vector.reduce.add.v4i32(<4 x i32>)

define i32 @control(i32 %x, ptr %where) {
  switch i32 %x, label %3 [
    i32 0, label %1
    i32 -1, label %2
  ]

1:                                                ; preds = %2, %0
  br label %3

2:                                                ; preds = %0
  br i1 true, label %1, label %3, !prof !0

3:                                                ; preds = %2, %1, %0
  %p = phi i32 [ 1, %1 ], [ %x, %0 ], [ 3, %2 ]
  indirectbr ptr %where, [label %4, label %5]

4:                                                ; preds = %3
  unreachable

5:                                                ; preds = %3
  ret i32 %p
}

define void @calls(ptr %f, ptr byval(%struct.S) align 8 %s, ptr %0) {
entry:
  %a = tail call i32 (ptr, ...) @printf(ptr noundef nonnull dereferenceable(1) @g, i32 noundef 3) #1
  %b0 = call fast fastcc nofpclass(nan inf) double %f(double 1.000000e+00)
  %b = call fastcc noundef range(i32 0, 10) i32 %f(i32 signext -1, ptr noundef byval(%struct.S) align 8 %s)
  call void @fill(ptr dead_on_unwind writable sret(%struct.S) align 8 captures(none) initializes((0, 4)) %0)
  call void @llvm.assume(i1 true) [ "align"(ptr %f, i64 64), "nonnull"(ptr %f) ]
  %c = call i32 asm sideeffect "addl $1, $0\0A", "=r,r,~{memory}"(i32 4) #0, !srcloc !0
  call void @llvm.experimental.foo(metadata !"round.dynamic", metadata i32 %c, metadata !0)
  notail call void @stop(i32 1) #0
  unreachable
}

declare i32 @printf(ptr, ...)
declare void @fill(ptr sret(%struct.S) align 8)
declare void @llvm.assume(i1 noundef)
declare void @llvm.experimental.foo(metadata, metadata, metadata)
; Function Attrs: noreturn
declare void @stop(i32) local_unnamed_addr #0

attributes #0 = { noreturn nounwind memory(argmem: readwrite, inaccessiblemem: read) "a"="noreturn" }
attributes #1 = { nounwind "b"="noreturn" }

!0 = !{!"branch_weights", i32 1, i32 2000}
