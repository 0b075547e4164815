; typedef float f4 __attribute__((vector_size(16)));
; typedef int i4 __attribute__((vector_size(16)));
; int sum(const int *a) { int s = 0; for (int i = 0; i < 64; i++) s += a[i] * 3; return s; }
; f4 mix(f4 a, f4 b, i4 m) { a[2] = 2.5f; return __builtin_shufflevector(a * b, b, 0, 5, -1, 7) + (f4)(m > 3); }
; ModuleID = 'vectors.c'
source_filename = "vectors.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux5.10.0-gnu2.31.0"

; Function Attrs: nofree norecurse nosync nounwind memory(argmem: read) uwtable
define i32 @sum(ptr noundef readonly captures(none) %a) local_unnamed_addr #0 {
entry:
  %0 = getelementptr inbounds nuw i8, ptr %a, i64 16
  %wide.load = load <4 x i32>, ptr %a, align 4, !tbaa !6
  %wide.load8 = load <4 x i32>, ptr %0, align 4, !tbaa !6
  %1 = getelementptr inbounds nuw i8, ptr %a, i64 32
  %2 = getelementptr inbounds nuw i8, ptr %a, i64 48
  %wide.load.1 = load <4 x i32>, ptr %1, align 4, !tbaa !6
  %wide.load8.1 = load <4 x i32>, ptr %2, align 4, !tbaa !6
  %3 = add <4 x i32> %wide.load.1, %wide.load
  %4 = add <4 x i32> %wide.load8.1, %wide.load8
  %5 = getelementptr inbounds nuw i8, ptr %a, i64 64
  %6 = getelementptr inbounds nuw i8, ptr %a, i64 80
  %wide.load.2 = load <4 x i32>, ptr %5, align 4, !tbaa !6
  %wide.load8.2 = load <4 x i32>, ptr %6, align 4, !tbaa !6
  %7 = add <4 x i32> %wide.load.2, %3
  %8 = add <4 x i32> %wide.load8.2, %4
  %9 = getelementptr inbounds nuw i8, ptr %a, i64 96
  %10 = getelementptr inbounds nuw i8, ptr %a, i64 112
  %wide.load.3 = load <4 x i32>, ptr %9, align 4, !tbaa !6
  %wide.load8.3 = load <4 x i32>, ptr %10, align 4, !tbaa !6
  %11 = add <4 x i32> %wide.load.3, %7
  %12 = add <4 x i32> %wide.load8.3, %8
  %13 = getelementptr inbounds nuw i8, ptr %a, i64 128
  %14 = getelementptr inbounds nuw i8, ptr %a, i64 144
  %wide.load.4 = load <4 x i32>, ptr %13, align 4, !tbaa !6
  %wide.load8.4 = load <4 x i32>, ptr %14, align 4, !tbaa !6
  %15 = add <4 x i32> %wide.load.4, %11
  %16 = add <4 x i32> %wide.load8.4, %12
  %17 = getelementptr inbounds nuw i8, ptr %a, i64 160
  %18 = getelementptr inbounds nuw i8, ptr %a, i64 176
  %wide.load.5 = load <4 x i32>, ptr %17, align 4, !tbaa !6
  %wide.load8.5 = load <4 x i32>, ptr %18, align 4, !tbaa !6
  %19 = add <4 x i32> %wide.load.5, %15
  %20 = add <4 x i32> %wide.load8.5, %16
  %21 = getelementptr inbounds nuw i8, ptr %a, i64 192
  %22 = getelementptr inbounds nuw i8, ptr %a, i64 208
  %wide.load.6 = load <4 x i32>, ptr %21, align 4, !tbaa !6
  %wide.load8.6 = load <4 x i32>, ptr %22, align 4, !tbaa !6
  %23 = add <4 x i32> %wide.load.6, %19
  %24 = add <4 x i32> %wide.load8.6, %20
  %25 = getelementptr inbounds nuw i8, ptr %a, i64 224
  %26 = getelementptr inbounds nuw i8, ptr %a, i64 240
  %wide.load.7 = load <4 x i32>, ptr %25, align 4, !tbaa !6
  %wide.load8.7 = load <4 x i32>, ptr %26, align 4, !tbaa !6
  %27 = add <4 x i32> %wide.load.7, %23
  %28 = add <4 x i32> %wide.load8.7, %24
  %29 = add <4 x i32> %28, %27
  %bin.rdx = mul <4 x i32> %29, splat (i32 3)
  %30 = tail call i32 @llvm.vector.reduce.add.v4i32(<4 x i32> %bin.rdx)
  ret i32 %30
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(none) uwtable
define <4 x float> @mix(<4 x float> noundef %a, <4 x float> noundef %b, <4 x i32> noundef %m) local_unnamed_addr #1 {
entry:
  %mul = fmul <4 x float> %a, %b
  %shuffle = shufflevector <4 x float> %mul, <4 x float> %b, <4 x i32> <i32 0, i32 5, i32 poison, i32 7>
  %cmp = icmp sgt <4 x i32> %m, splat (i32 3)
  %sext = sext <4 x i1> %cmp to <4 x i32>
  %0 = bitcast <4 x i32> %sext to <4 x float>
  %add = fadd <4 x float> %shuffle, %0
  ret <4 x float> %add
}

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.vector.reduce.add.v4i32(<4 x i32>) #2

attributes #0 = { nofree norecurse nosync nounwind memory(argmem: read) uwtable "frame-pointer"="all" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" }
attributes #1 = { mustprogress nofree norecurse nosync nounwind willreturn memory(none) uwtable "frame-pointer"="all" "min-legal-vector-width"="128" "no-trapping-math"="true" "stack-protector-buffer-size"="8" }
attributes #2 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }

!llvm.module.flags = !{!0, !1, !2, !3, !4}
!llvm.ident = !{!5}
!llvm.errno.tbaa = !{!6}

!0 = !{i32 7, !"Dwarf Version", i32 4}
!1 = !{i32 1, !"wchar_size", i32 4}
!2 = !{i32 8, !"PIC Level", i32 2}
!3 = !{i32 7, !"uwtable", i32 2}
!4 = !{i32 7, !"frame-pointer", i32 2}
!5 = !{!"clang version 22.1.8"}
!6 = !{!7, !7, i64 0}
!7 = !{!"int", !8, i64 0}
!8 = !{!"omnipotent char", !9, i64 0}
!9 = !{!"Simple C/C++ TBAA"}
