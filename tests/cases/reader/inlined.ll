; static inline int twice(int v) { int r = v * 2; return r; }
; struct pair { int a, b; };
; int work(int n, int *p) {
;   int total = 0;
;   struct pair q = {n, 1};
;   for (int i = 0; i < n; i++) { int t = twice(p[i]) + i; total += t; q.b += t; }
;   return total + twice(q.a) - q.b;
; }
; ModuleID = 'inlined.c'
source_filename = "inlined.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux5.10.0-gnu2.31.0"

; Function Attrs: nofree norecurse nosync nounwind memory(argmem: read) uwtable
define i32 @work(i32 noundef %n, ptr noundef readonly captures(none) %p) local_unnamed_addr #0 !dbg !14 {
entry:
    #dbg_value(i32 %n, !20, !DIExpression(), !33)
    #dbg_value(ptr %p, !21, !DIExpression(), !33)
    #dbg_value(i32 0, !22, !DIExpression(), !33)
    #dbg_value(i32 %n, !23, !DIExpression(DW_OP_LLVM_fragment, 0, 32), !33)
    #dbg_value(i32 1, !23, !DIExpression(DW_OP_LLVM_fragment, 32, 32), !33)
    #dbg_value(i32 0, !28, !DIExpression(), !34)
  %cmp16 = icmp sgt i32 %n, 0, !dbg !35
  br i1 %cmp16, label %for.body.preheader, label %for.cond.cleanup, !dbg !36

for.body.preheader:                               ; preds = %entry
  %wide.trip.count = zext nneg i32 %n to i64, !dbg !37
  br label %for.body, !dbg !38

for.cond.cleanup:                                 ; preds = %for.body, %entry
  %q.sroa.4.0.lcssa = phi i32 [ 1, %entry ], [ %add3, %for.body ], !dbg !33
  %total.0.lcssa = phi i32 [ 0, %entry ], [ %add1, %for.body ], !dbg !33
    #dbg_value(i32 %n, !39, !DIExpression(), !45)
  %mul.i = shl nsw i32 %n, 1, !dbg !47
    #dbg_value(i32 %mul.i, !44, !DIExpression(), !45)
  %add6 = sub i32 %mul.i, %q.sroa.4.0.lcssa, !dbg !48
  %sub = add i32 %add6, %total.0.lcssa, !dbg !49
  ret i32 %sub, !dbg !50

for.body:                                         ; preds = %for.body.preheader, %for.body
  %indvars.iv = phi i64 [ 0, %for.body.preheader ], [ %indvars.iv.next, %for.body ]
  %total.019 = phi i32 [ 0, %for.body.preheader ], [ %add1, %for.body ]
  %q.sroa.4.017 = phi i32 [ 1, %for.body.preheader ], [ %add3, %for.body ]
    #dbg_value(i32 %total.019, !22, !DIExpression(), !33)
    #dbg_value(i64 %indvars.iv, !28, !DIExpression(), !34)
    #dbg_value(i32 %q.sroa.4.017, !23, !DIExpression(DW_OP_LLVM_fragment, 32, 32), !33)
  %arrayidx = getelementptr inbounds nuw i32, ptr %p, i64 %indvars.iv, !dbg !51
  %0 = load i32, ptr %arrayidx, align 4, !dbg !51, !tbaa !10
    #dbg_value(i32 %0, !39, !DIExpression(), !52)
  %mul.i15 = shl nsw i32 %0, 1, !dbg !54
    #dbg_value(i32 %mul.i15, !44, !DIExpression(), !52)
  %1 = trunc nuw nsw i64 %indvars.iv to i32, !dbg !55
  %add = add nsw i32 %mul.i15, %1, !dbg !55
    #dbg_value(i32 %add, !30, !DIExpression(), !56)
  %add1 = add nsw i32 %add, %total.019, !dbg !57
    #dbg_value(i32 %add1, !22, !DIExpression(), !33)
  %add3 = add nsw i32 %add, %q.sroa.4.017, !dbg !58
    #dbg_value(i32 %add3, !23, !DIExpression(DW_OP_LLVM_fragment, 32, 32), !33)
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1, !dbg !59
    #dbg_value(i64 %indvars.iv.next, !28, !DIExpression(), !34)
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count, !dbg !37
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body, !dbg !60, !llvm.loop !61
}

attributes #0 = { nofree norecurse nosync nounwind memory(argmem: read) uwtable "frame-pointer"="all" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" }

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3, !4, !5, !6, !7, !8}
!llvm.ident = !{!9}
!llvm.errno.tbaa = !{!10}

!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, producer: "clang version 22.1.8", isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug, splitDebugInlining: false, nameTableKind: None)
!1 = !DIFile(filename: "inlined.c", directory: "/home/user/project")
!2 = !{i32 7, !"Dwarf Version", i32 4}
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = !{i32 1, !"wchar_size", i32 4}
!5 = !{i32 8, !"PIC Level", i32 2}
!6 = !{i32 7, !"uwtable", i32 2}
!7 = !{i32 7, !"frame-pointer", i32 2}
!8 = !{i32 7, !"debug-info-assignment-tracking", i1 true}
!9 = !{!"clang version 22.1.8"}
!10 = !{!11, !11, i64 0}
!11 = !{!"int", !12, i64 0}
!12 = !{!"omnipotent char", !13, i64 0}
!13 = !{!"Simple C/C++ TBAA"}
!14 = distinct !DISubprogram(name: "work", scope: !1, file: !1, line: 3, type: !15, scopeLine: 3, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0, retainedNodes: !19, keyInstructions: true)
!15 = !DISubroutineType(types: !16)
!16 = !{!17, !17, !18}
!17 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!18 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !17, size: 64)
!19 = !{!20, !21, !22, !23, !28, !30}
!20 = !DILocalVariable(name: "n", arg: 1, scope: !14, file: !1, line: 3, type: !17)
!21 = !DILocalVariable(name: "p", arg: 2, scope: !14, file: !1, line: 3, type: !18)
!22 = !DILocalVariable(name: "total", scope: !14, file: !1, line: 4, type: !17)
!23 = !DILocalVariable(name: "q", scope: !14, file: !1, line: 5, type: !24)
!24 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "pair", file: !1, line: 2, size: 64, elements: !25)
!25 = !{!26, !27}
!26 = !DIDerivedType(tag: DW_TAG_member, name: "a", scope: !24, file: !1, line: 2, baseType: !17, size: 32)
!27 = !DIDerivedType(tag: DW_TAG_member, name: "b", scope: !24, file: !1, line: 2, baseType: !17, size: 32, offset: 32)
!28 = !DILocalVariable(name: "i", scope: !29, file: !1, line: 6, type: !17)
!29 = distinct !DILexicalBlock(scope: !14, file: !1, line: 6, column: 3)
!30 = !DILocalVariable(name: "t", scope: !31, file: !1, line: 6, type: !17)
!31 = distinct !DILexicalBlock(scope: !32, file: !1, line: 6, column: 31)
!32 = distinct !DILexicalBlock(scope: !29, file: !1, line: 6, column: 3)
!33 = !DILocation(line: 0, scope: !14)
!34 = !DILocation(line: 0, scope: !29)
!35 = !DILocation(line: 6, column: 21, scope: !32, atomGroup: 13, atomRank: 1)
!36 = !DILocation(line: 6, column: 3, scope: !29, atomGroup: 14, atomRank: 1)
!37 = !DILocation(line: 6, column: 21, scope: !32, atomGroup: 4, atomRank: 1)
!38 = !DILocation(line: 6, column: 3, scope: !29)
!39 = !DILocalVariable(name: "v", arg: 1, scope: !40, file: !1, line: 1, type: !17)
!40 = distinct !DISubprogram(name: "twice", scope: !1, file: !1, line: 1, type: !41, scopeLine: 1, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !0, retainedNodes: !43, keyInstructions: true)
!41 = !DISubroutineType(types: !42)
!42 = !{!17, !17}
!43 = !{!39, !44}
!44 = !DILocalVariable(name: "r", scope: !40, file: !1, line: 1, type: !17)
!45 = !DILocation(line: 0, scope: !40, inlinedAt: !46)
!46 = distinct !DILocation(line: 7, column: 18, scope: !14)
!47 = !DILocation(line: 1, column: 44, scope: !40, inlinedAt: !46, atomGroup: 1, atomRank: 2)
!48 = !DILocation(line: 7, column: 16, scope: !14)
!49 = !DILocation(line: 7, column: 29, scope: !14, atomGroup: 12, atomRank: 2)
!50 = !DILocation(line: 7, column: 3, scope: !14, atomGroup: 12, atomRank: 1)
!51 = !DILocation(line: 6, column: 47, scope: !31)
!52 = !DILocation(line: 0, scope: !40, inlinedAt: !53)
!53 = distinct !DILocation(line: 6, column: 41, scope: !31)
!54 = !DILocation(line: 1, column: 44, scope: !40, inlinedAt: !53, atomGroup: 1, atomRank: 2)
!55 = !DILocation(line: 6, column: 53, scope: !31, atomGroup: 6, atomRank: 2)
!56 = !DILocation(line: 0, scope: !31)
!57 = !DILocation(line: 6, column: 64, scope: !31, atomGroup: 7, atomRank: 2)
!58 = !DILocation(line: 6, column: 74, scope: !31, atomGroup: 8, atomRank: 2)
!59 = !DILocation(line: 6, column: 27, scope: !32, atomGroup: 9, atomRank: 2)
!60 = !DILocation(line: 6, column: 3, scope: !29, atomGroup: 5, atomRank: 1)
!61 = distinct !{!61, !38, !62, !63, !64}
!62 = !DILocation(line: 6, column: 80, scope: !29)
!63 = !{!"llvm.loop.mustprogress"}
!64 = !{!"llvm.loop.unroll.disable"}
