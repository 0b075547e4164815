; Debug records: plain ones become updates, the others are skipped.
define void @f(i32 %x, ptr %p) !dbg !5 {
entry:
    #dbg_value(i32 %x, !7, !DIExpression(), !10)
    #dbg_value(i32 %x, !7, !DIExpression(DW_OP_constu, 1, DW_OP_plus, DW_OP_stack_value), !10)
    #dbg_value(!DIArgList(i32 %x, i32 7), !7, !DIExpression(DW_OP_LLVM_arg, 0, DW_OP_LLVM_arg, 1, DW_OP_plus), !10)
    #dbg_value(i32 poison, !7, !DIExpression(), !10)
    #dbg_value(ptr %p, !8, !DIExpression(DW_OP_deref), !10)
    #dbg_value(ptr getelementptr (i8, ptr @g, i64 4), !8, !DIExpression(), !10)
    #dbg_value(!{}, !8, !DIExpression(), !10)
    #dbg_assign(i32 4, !7, !DIExpression(), !12, ptr %p, !DIExpression(), !10)
    #dbg_declare(ptr %p, !8, !DIExpression(), !10)
    #dbg_declare(ptr %p, !8, !DIExpression(DW_OP_plus_uconst, 4), !10)
    #dbg_label(!13, !10)
  store i32 %x, ptr %p, align 4, !dbg !11, !tbaa !14
  br label %end, !llvm.loop !15, !dbg !10

end:
  ret void, !dbg !16
    #dbg_value(i32 0, !7, !DIExpression(), !10)
}

@g = global [2 x i32] zeroinitializer, !dbg !20

!llvm.dbg.cu = !{!0}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, globals: !{})
!1 = !DIFile(filename: "a.c", directory: "/work/dir")
!2 = !DIFile(filename: "include/h.h", directory: "/usr")
!3 = !DISubroutineType(types: !4)
!4 = !{null, !6, !9, null}
!5 = distinct !DISubprogram(name: "f \22q\22", scope: !1, file: !1, line: 3, type: !3, unit: !0)
!6 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!7 = !DILocalVariable(name: "x", arg: 1, scope: !5, file: !1, line: 3, type: !6)
!8 = !DILocalVariable(name: "p", arg: 2, scope: !5, file: !1, line: 3, type: !9)
!9 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !17, size: 64)
!10 = !DILocation(line: 4, column: 5, scope: !18)
!11 = !DILocation(line: 9, scope: !19, inlinedAt: !10)
!12 = distinct !DIAssignID()
!13 = !DILabel(scope: !5, name: "l", file: !1, line: 5)
!14 = !{!"int", i64 0}
!15 = distinct !{!15}
!16 = !DILocation(column: 3, line: 0, scope: !5)
!17 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !6)
!18 = !DILexicalBlock(scope: !5, file: !1, line: 4)
!19 = distinct !DISubprogram(name: "inlined", scope: !2, file: !2, line: 8, unit: !0)
!20 = !DIGlobalVariableExpression(var: !21, expr: !DIExpression())
!21 = distinct !DIGlobalVariable(name: "g", scope: !0, file: !1, line: 1, type: !22)
!22 = !DICompositeType(tag: DW_TAG_array_type, baseType: !6, size: 64, elements: !23)
!23 = !{!24, !25}
!24 = !DISubrange(count: 2)
!25 = !DISubrange(count: 1)
