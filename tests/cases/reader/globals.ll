; Linkage, constants, aliases, constructors, odd names.
source_filename = "dir/globals.c"
target datalayout = "e-m:e-p:32:32-p270:32:32-p271:32:32-p272:64:64-i128:128-f64:32:64-f80:32-n8:16:32-S128"
target triple = "i386-unknown-linux-gnu"

module asm ".globl nothing"
module asm "nothing:"

$shared = comdat any

%"struct.with space" = type { i8, %inner }
%inner = type { i16, ptr }
%opaque = type opaque

@.str = private unnamed_addr constant [9 x i8] c"a\22b\5C\0A\C3\A9x\00", align 1
@zero = common dso_local global [1000000 x i8] zeroinitializer, align 32
@one = internal global i1 true
@neg = weak_odr hidden local_unnamed_addr global i64 -2, section ".data.x", align 8
@wide = linkonce_odr constant i128 170141183460469231731687303715884105728, comdat($shared)
@tls = thread_local(initialexec) global i32 5, align 4
@ext = external dso_local global i32, align 4
@weak = extern_weak global %opaque
@space = addrspace(1) externally_initialized global ptr addrspace(1) null
@nested = global { i8, [2 x %"struct.with space"], <{ i8, i32 }> } { i8 1, [2 x %"struct.with space"] [%"struct.with space" { i8 2, %inner { i16 3, ptr @nested } }, %"struct.with space" zeroinitializer], <{ i8, i32 }> <{ i8 4, i32 5 }> }, align 4
@"quoted name\0A" = global ptr @"quoted name\0A"
@0 = global ptr blockaddress(@target, %"odd label")
@expr = global [4 x ptr] [ptr getelementptr inbounds nuw (i8, ptr @zero, i32 12), ptr getelementptr inbounds inrange(-8, 16) ({ i8, i32 }, ptr @zero, i32 0, i32 1), ptr inttoptr (i32 64 to ptr), ptr @target]
@diff = global i32 sub (i32 ptrtoint (ptr @zero to i32), i32 ptrtoint (ptr @nested to i32))
@bits = global i8 trunc (i64 add (i64 ptrtoint (ptr @zero to i64), i64 1) to i8)
@vector = global <2 x float> <float 1.000000e+00, float 0xFFF8000000000000>
@splat = global <3 x i16> splat (i16 -1)
@halves = global [3 x half] [half 0xH0001, half undef, half poison]
@other = alias i32, ptr @ext_def
@ext_def = global i32 7
@second = weak hidden alias ptr, getelementptr (i8, ptr @zero, i32 4)
@chosen = dso_local ifunc i32 (i32), ptr @resolver
@llvm.global_ctors = appending global [3 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, ptr @late, ptr null }, { i32, ptr, ptr } { i32 101, ptr @early, ptr null }, { i32, ptr, ptr } { i32 65535, ptr @target, ptr null }]
@llvm.global_dtors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, ptr @late, ptr null }]
@llvm.used = appending global [1 x ptr] [ptr @ext], section "llvm.metadata"

define internal void @late() { 
  ret void
}

define private void @early() section "init" comdat($shared) align 16 prefix i32 7 {
  ret void
}

define ptr @resolver() personality ptr @late {
  ret ptr @late
}

define void @target(i32, ptr %"p q", i32 %1) {
  br label %"odd label"

"odd label":                                      ; preds = %2
  %"x y" = load i32, ptr %"p q", align 4, !dbg !3
  %3 = add i32 %"x y", %0
  ret void
}

!llvm.dbg.cu = !{!0}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1)
!1 = !DIFile(filename: "/abs/dir/globals.c", directory: "/abs")
!2 = distinct !DISubprogram(name: "target", scope: !4, file: !4, line: 3, unit: !0)
!3 = !DILocation(line: 4, column: 2, scope: !2)
!4 = !DIFile(filename: "dir/globals.c", directory: "/abs")
