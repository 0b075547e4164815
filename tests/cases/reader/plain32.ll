; struct point { int x, y; };
; struct list { struct list *next; struct point at[2]; unsigned flags : 3; };
; typedef union { int i; float f; } word;
; enum color { RED, GREEN = 5, BLUE = -1 };
; static const char *const names[] = {"red", "green\n"};
; int counter = 3;
; extern int printf(const char *, ...);
; _Noreturn void stop(int);
; 
; struct point move(struct point p, struct list big) { p.x += big.flags; return p; }
; 
; static double mean(const double *v, unsigned n) {
;   double s = 0.1;
;   for (unsigned i = 0; i < n; i++) s += v[i];
;   return n ? s / n : 0;
; }
; 
; int main(int argc, char **argv) {
;   static int calls;
;   enum color c = argc > 2 ? BLUE : RED;
;   word w = {.f = 1.5f};
;   switch (argc) {
;   case -1: stop(1);
;   case 1: c = GREEN; break;
;   default: printf("%s %d %f\n", names[argc & 1], w.i, mean((double[]){1, 2}, 2));
;   }
;   calls += argv[0][1];
;   return c + counter + calls;
; }
; ModuleID = 'plain.c'
source_filename = "plain.c"
target datalayout = "e-m:e-p:32:32-p270:32:32-p271:32:32-p272:64:64-i128:128-f64:32:64-f80:32-n8:16:32-S128"
target triple = "i386-unknown-linux5.10.0-gnu2.34.0"

%struct.point = type { i32, i32 }
%struct.list = type { ptr, [2 x %struct.point], i8 }
%union.word = type { i32 }

@counter = global i32 3, align 4, !dbg !0
@main.calls = internal global i32 0, align 4, !dbg !12
@__const.main.w = private unnamed_addr constant { float } { float 1.500000e+00 }, align 4
@.str = private unnamed_addr constant [10 x i8] c"%s %d %f\0A\00", align 1, !dbg !31
@names = internal constant [2 x ptr] [ptr @.str.1, ptr @.str.2], align 4, !dbg !46
@.str.1 = private unnamed_addr constant [4 x i8] c"red\00", align 1, !dbg !36
@.str.2 = private unnamed_addr constant [7 x i8] c"green\0A\00", align 1, !dbg !41

; Function Attrs: nounwind uwtable
define void @move(ptr dead_on_unwind noalias writable sret(%struct.point) align 4 %agg.result, i32 %p.0, i32 %p.1, ptr noundef byval(%struct.list) align 4 %big) #0 !dbg !66 {
entry:
  %result.ptr = alloca ptr, align 4
  %p = alloca %struct.point, align 4
  store ptr %agg.result, ptr %result.ptr, align 4
  %x = getelementptr inbounds nuw %struct.point, ptr %p, i32 0, i32 0
  store i32 %p.0, ptr %x, align 4, !tbaa !84
  %y = getelementptr inbounds nuw %struct.point, ptr %p, i32 0, i32 1
  store i32 %p.1, ptr %y, align 4, !tbaa !86
    #dbg_declare(ptr %p, !82, !DIExpression(), !87)
    #dbg_declare(ptr %big, !83, !DIExpression(), !88)
  %flags = getelementptr inbounds nuw %struct.list, ptr %big, i32 0, i32 2, !dbg !89
  %bf.load = load i8, ptr %flags, align 4, !dbg !89
  %bf.clear = and i8 %bf.load, 7, !dbg !89
  %bf.cast = zext i8 %bf.clear to i32, !dbg !89
  %x1 = getelementptr inbounds nuw %struct.point, ptr %p, i32 0, i32 0, !dbg !90
  %0 = load i32, ptr %x1, align 4, !dbg !91, !tbaa !84
  %add = add nsw i32 %0, %bf.cast, !dbg !92
  store i32 %add, ptr %x1, align 4, !dbg !93, !tbaa !84
  call void @llvm.memcpy.p0.p0.i32(ptr align 4 %agg.result, ptr align 4 %p, i32 8, i1 false), !dbg !94, !tbaa.struct !95
  ret void, !dbg !96
}

; Function Attrs: nocallback nofree nounwind willreturn memory(argmem: readwrite)
declare void @llvm.memcpy.p0.p0.i32(ptr noalias writeonly captures(none), ptr noalias readonly captures(none), i32, i1 immarg) #1

; Function Attrs: nounwind uwtable
define i32 @main(i32 noundef %argc, ptr noundef %argv) #0 !dbg !14 {
entry:
  %retval = alloca i32, align 4
  %argc.addr = alloca i32, align 4
  %argv.addr = alloca ptr, align 4
  %c = alloca i32, align 4
  %w = alloca %union.word, align 4
  %.compoundliteral = alloca [2 x double], align 4
  store i32 0, ptr %retval, align 4
  store i32 %argc, ptr %argc.addr, align 4, !tbaa !62
    #dbg_declare(ptr %argc.addr, !21, !DIExpression(), !97)
  store ptr %argv, ptr %argv.addr, align 4, !tbaa !98
    #dbg_declare(ptr %argv.addr, !22, !DIExpression(), !102)
  call void @llvm.lifetime.start.p0(ptr %c) #5, !dbg !103
    #dbg_declare(ptr %c, !23, !DIExpression(), !104)
  %0 = load i32, ptr %argc.addr, align 4, !dbg !105, !tbaa !62
  %cmp = icmp sgt i32 %0, 2, !dbg !106
  %1 = zext i1 %cmp to i64, !dbg !105
  %cond = select i1 %cmp, i32 -1, i32 0, !dbg !107
  store i32 %cond, ptr %c, align 4, !dbg !108, !tbaa !62
  call void @llvm.lifetime.start.p0(ptr %w) #5, !dbg !109
    #dbg_declare(ptr %w, !24, !DIExpression(), !110)
  call void @llvm.memcpy.p0.p0.i32(ptr align 4 %w, ptr align 4 @__const.main.w, i32 4, i1 false), !dbg !111
  %2 = load i32, ptr %argc.addr, align 4, !dbg !112, !tbaa !62
  switch i32 %2, label %sw.default [
    i32 -1, label %sw.bb
    i32 1, label %sw.bb1
  ], !dbg !113

sw.bb:                                            ; preds = %entry
  call void @stop(i32 noundef 1) #6, !dbg !114
  unreachable, !dbg !114

sw.bb1:                                           ; preds = %entry
  store i32 5, ptr %c, align 4, !dbg !116, !tbaa !62
  br label %sw.epilog, !dbg !117

sw.default:                                       ; preds = %entry
  %3 = load i32, ptr %argc.addr, align 4, !dbg !118, !tbaa !62
  %and = and i32 %3, 1, !dbg !119
  %arrayidx = getelementptr inbounds [2 x ptr], ptr @names, i32 0, i32 %and, !dbg !120
  %4 = load ptr, ptr %arrayidx, align 4, !dbg !120, !tbaa !121
  %5 = load i32, ptr %w, align 4, !dbg !123, !tbaa !124
  store double 1.000000e+00, ptr %.compoundliteral, align 4, !dbg !125, !tbaa !126
  %arrayinit.element = getelementptr inbounds double, ptr %.compoundliteral, i32 1, !dbg !125
  store double 2.000000e+00, ptr %arrayinit.element, align 4, !dbg !125, !tbaa !126
  %arraydecay = getelementptr inbounds [2 x double], ptr %.compoundliteral, i32 0, i32 0, !dbg !128
  %call = call double @mean(ptr noundef %arraydecay, i32 noundef 2), !dbg !129
  %call2 = call i32 (ptr, ...) @printf(ptr noundef @.str, ptr noundef %4, i32 noundef %5, double noundef %call), !dbg !130
  br label %sw.epilog, !dbg !131

sw.epilog:                                        ; preds = %sw.default, %sw.bb1
  %6 = load ptr, ptr %argv.addr, align 4, !dbg !132, !tbaa !98
  %arrayidx3 = getelementptr inbounds ptr, ptr %6, i32 0, !dbg !132
  %7 = load ptr, ptr %arrayidx3, align 4, !dbg !132, !tbaa !121
  %arrayidx4 = getelementptr inbounds i8, ptr %7, i32 1, !dbg !132
  %8 = load i8, ptr %arrayidx4, align 1, !dbg !132, !tbaa !124
  %conv = sext i8 %8 to i32, !dbg !132
  %9 = load i32, ptr @main.calls, align 4, !dbg !133, !tbaa !62
  %add = add nsw i32 %9, %conv, !dbg !134
  store i32 %add, ptr @main.calls, align 4, !dbg !135, !tbaa !62
  %10 = load i32, ptr %c, align 4, !dbg !136, !tbaa !62
  %11 = load i32, ptr @counter, align 4, !dbg !137, !tbaa !62
  %add5 = add nsw i32 %10, %11, !dbg !138
  %12 = load i32, ptr @main.calls, align 4, !dbg !139, !tbaa !62
  %add6 = add nsw i32 %add5, %12, !dbg !140
  call void @llvm.lifetime.end.p0(ptr %w) #5, !dbg !141
  call void @llvm.lifetime.end.p0(ptr %c) #5, !dbg !141
  ret i32 %add6, !dbg !142
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(ptr captures(none)) #2

; Function Attrs: noreturn
declare void @stop(i32 noundef) #3

declare !dbg !143 i32 @printf(ptr noundef, ...) #4

; Function Attrs: nounwind uwtable
define internal double @mean(ptr noundef %v, i32 noundef %n) #0 !dbg !146 {
entry:
  %v.addr = alloca ptr, align 4
  %n.addr = alloca i32, align 4
  %s = alloca double, align 8
  %i = alloca i32, align 4
  store ptr %v, ptr %v.addr, align 4, !tbaa !158
    #dbg_declare(ptr %v.addr, !153, !DIExpression(), !160)
  store i32 %n, ptr %n.addr, align 4, !tbaa !62
    #dbg_declare(ptr %n.addr, !154, !DIExpression(), !161)
  call void @llvm.lifetime.start.p0(ptr %s) #5, !dbg !162
    #dbg_declare(ptr %s, !155, !DIExpression(), !163)
  store double 1.000000e-01, ptr %s, align 8, !dbg !164, !tbaa !126
  call void @llvm.lifetime.start.p0(ptr %i) #5, !dbg !165
    #dbg_declare(ptr %i, !156, !DIExpression(), !166)
  store i32 0, ptr %i, align 4, !dbg !167, !tbaa !62
  br label %for.cond, !dbg !165

for.cond:                                         ; preds = %for.inc, %entry
  %0 = load i32, ptr %i, align 4, !dbg !168, !tbaa !62
  %1 = load i32, ptr %n.addr, align 4, !dbg !170, !tbaa !62
  %cmp = icmp ult i32 %0, %1, !dbg !171
  br i1 %cmp, label %for.body, label %for.cond.cleanup, !dbg !172

for.cond.cleanup:                                 ; preds = %for.cond
  call void @llvm.lifetime.end.p0(ptr %i) #5, !dbg !173
  br label %for.end

for.body:                                         ; preds = %for.cond
  %2 = load ptr, ptr %v.addr, align 4, !dbg !174, !tbaa !158
  %3 = load i32, ptr %i, align 4, !dbg !175, !tbaa !62
  %arrayidx = getelementptr inbounds nuw double, ptr %2, i32 %3, !dbg !174
  %4 = load double, ptr %arrayidx, align 4, !dbg !174, !tbaa !126
  %5 = load double, ptr %s, align 8, !dbg !176, !tbaa !126
  %add = fadd double %5, %4, !dbg !177
  store double %add, ptr %s, align 8, !dbg !178, !tbaa !126
  br label %for.inc, !dbg !179

for.inc:                                          ; preds = %for.body
  %6 = load i32, ptr %i, align 4, !dbg !180, !tbaa !62
  %inc = add i32 %6, 1, !dbg !181
  store i32 %inc, ptr %i, align 4, !dbg !182, !tbaa !62
  br label %for.cond, !dbg !173, !llvm.loop !183

for.end:                                          ; preds = %for.cond.cleanup
  %7 = load i32, ptr %n.addr, align 4, !dbg !187, !tbaa !62
  %tobool = icmp ne i32 %7, 0, !dbg !188
  br i1 %tobool, label %cond.true, label %cond.false, !dbg !189

cond.true:                                        ; preds = %for.end
  %8 = load double, ptr %s, align 8, !dbg !190, !tbaa !126
  %9 = load i32, ptr %n.addr, align 4, !dbg !191, !tbaa !62
  %conv = uitofp i32 %9 to double, !dbg !191
  %div = fdiv double %8, %conv, !dbg !192
  br label %cond.end, !dbg !187

cond.false:                                       ; preds = %for.end
  br label %cond.end, !dbg !187

cond.end:                                         ; preds = %cond.false, %cond.true
  %cond = phi double [ %div, %cond.true ], [ 0.000000e+00, %cond.false ], !dbg !193
  call void @llvm.lifetime.end.p0(ptr %s) #5, !dbg !194
  ret double %cond, !dbg !195
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(ptr captures(none)) #2

attributes #0 = { nounwind uwtable "frame-pointer"="all" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" }
attributes #1 = { nocallback nofree nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #3 = { noreturn "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" }
attributes #4 = { "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" }
attributes #5 = { nounwind }
attributes #6 = { noreturn }

!llvm.dbg.cu = !{!2}
!llvm.module.flags = !{!54, !55, !56, !57, !58, !59, !60}
!llvm.ident = !{!61}
!llvm.errno.tbaa = !{!62}

!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(name: "counter", scope: !2, file: !3, line: 6, type: !6, isLocal: false, isDefinition: true)
!2 = distinct !DICompileUnit(language: DW_LANG_C11, file: !3, producer: "clang version 22.1.8", isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug, enums: !4, globals: !11, splitDebugInlining: false, nameTableKind: None)
!3 = !DIFile(filename: "plain.c", directory: "/home/user/project")
!4 = !{!5}
!5 = !DICompositeType(tag: DW_TAG_enumeration_type, name: "color", file: !3, line: 4, baseType: !6, size: 32, elements: !7)
!6 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!7 = !{!8, !9, !10}
!8 = !DIEnumerator(name: "RED", value: 0)
!9 = !DIEnumerator(name: "GREEN", value: 5)
!10 = !DIEnumerator(name: "BLUE", value: -1)
!11 = !{!0, !12, !31, !36, !41, !46}
!12 = !DIGlobalVariableExpression(var: !13, expr: !DIExpression())
!13 = distinct !DIGlobalVariable(name: "calls", scope: !14, file: !3, line: 19, type: !6, isLocal: true, isDefinition: true)
!14 = distinct !DISubprogram(name: "main", scope: !3, file: !3, line: 18, type: !15, scopeLine: 18, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !2, retainedNodes: !20, keyInstructions: true)
!15 = !DISubroutineType(types: !16)
!16 = !{!6, !6, !17}
!17 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !18, size: 32)
!18 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !19, size: 32)
!19 = !DIBasicType(name: "char", size: 8, encoding: DW_ATE_signed_char)
!20 = !{!21, !22, !23, !24}
!21 = !DILocalVariable(name: "argc", arg: 1, scope: !14, file: !3, line: 18, type: !6)
!22 = !DILocalVariable(name: "argv", arg: 2, scope: !14, file: !3, line: 18, type: !17)
!23 = !DILocalVariable(name: "c", scope: !14, file: !3, line: 20, type: !5)
!24 = !DILocalVariable(name: "w", scope: !14, file: !3, line: 21, type: !25)
!25 = !DIDerivedType(tag: DW_TAG_typedef, name: "word", file: !3, line: 3, baseType: !26)
!26 = distinct !DICompositeType(tag: DW_TAG_union_type, file: !3, line: 3, size: 32, elements: !27)
!27 = !{!28, !29}
!28 = !DIDerivedType(tag: DW_TAG_member, name: "i", scope: !26, file: !3, line: 3, baseType: !6, size: 32)
!29 = !DIDerivedType(tag: DW_TAG_member, name: "f", scope: !26, file: !3, line: 3, baseType: !30, size: 32)
!30 = !DIBasicType(name: "float", size: 32, encoding: DW_ATE_float)
!31 = !DIGlobalVariableExpression(var: !32, expr: !DIExpression())
!32 = distinct !DIGlobalVariable(scope: null, file: !3, line: 25, type: !33, isLocal: true, isDefinition: true)
!33 = !DICompositeType(tag: DW_TAG_array_type, baseType: !19, size: 80, elements: !34)
!34 = !{!35}
!35 = !DISubrange(count: 10)
!36 = !DIGlobalVariableExpression(var: !37, expr: !DIExpression())
!37 = distinct !DIGlobalVariable(scope: null, file: !3, line: 5, type: !38, isLocal: true, isDefinition: true)
!38 = !DICompositeType(tag: DW_TAG_array_type, baseType: !19, size: 32, elements: !39)
!39 = !{!40}
!40 = !DISubrange(count: 4)
!41 = !DIGlobalVariableExpression(var: !42, expr: !DIExpression())
!42 = distinct !DIGlobalVariable(scope: null, file: !3, line: 5, type: !43, isLocal: true, isDefinition: true)
!43 = !DICompositeType(tag: DW_TAG_array_type, baseType: !19, size: 56, elements: !44)
!44 = !{!45}
!45 = !DISubrange(count: 7)
!46 = !DIGlobalVariableExpression(var: !47, expr: !DIExpression())
!47 = distinct !DIGlobalVariable(name: "names", scope: !2, file: !3, line: 5, type: !48, isLocal: true, isDefinition: true)
!48 = !DICompositeType(tag: DW_TAG_array_type, baseType: !49, size: 64, elements: !52)
!49 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !50)
!50 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !51, size: 32)
!51 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !19)
!52 = !{!53}
!53 = !DISubrange(count: 2)
!54 = !{i32 1, !"NumRegisterParameters", i32 0}
!55 = !{i32 7, !"Dwarf Version", i32 4}
!56 = !{i32 2, !"Debug Info Version", i32 3}
!57 = !{i32 1, !"wchar_size", i32 4}
!58 = !{i32 8, !"PIC Level", i32 2}
!59 = !{i32 7, !"uwtable", i32 2}
!60 = !{i32 7, !"frame-pointer", i32 2}
!61 = !{!"clang version 22.1.8"}
!62 = !{!63, !63, i64 0}
!63 = !{!"int", !64, i64 0}
!64 = !{!"omnipotent char", !65, i64 0}
!65 = !{!"Simple C/C++ TBAA"}
!66 = distinct !DISubprogram(name: "move", scope: !3, file: !3, line: 10, type: !67, scopeLine: 10, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !2, retainedNodes: !81, keyInstructions: true)
!67 = !DISubroutineType(types: !68)
!68 = !{!69, !69, !73}
!69 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "point", file: !3, line: 1, size: 64, elements: !70)
!70 = !{!71, !72}
!71 = !DIDerivedType(tag: DW_TAG_member, name: "x", scope: !69, file: !3, line: 1, baseType: !6, size: 32)
!72 = !DIDerivedType(tag: DW_TAG_member, name: "y", scope: !69, file: !3, line: 1, baseType: !6, size: 32, offset: 32)
!73 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "list", file: !3, line: 2, size: 192, elements: !74)
!74 = !{!75, !77, !79}
!75 = !DIDerivedType(tag: DW_TAG_member, name: "next", scope: !73, file: !3, line: 2, baseType: !76, size: 32)
!76 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !73, size: 32)
!77 = !DIDerivedType(tag: DW_TAG_member, name: "at", scope: !73, file: !3, line: 2, baseType: !78, size: 128, offset: 32)
!78 = !DICompositeType(tag: DW_TAG_array_type, baseType: !69, size: 128, elements: !52)
!79 = !DIDerivedType(tag: DW_TAG_member, name: "flags", scope: !73, file: !3, line: 2, baseType: !80, size: 3, offset: 160, flags: DIFlagBitField, extraData: i64 160)
!80 = !DIBasicType(name: "unsigned int", size: 32, encoding: DW_ATE_unsigned)
!81 = !{!82, !83}
!82 = !DILocalVariable(name: "p", arg: 1, scope: !66, file: !3, line: 10, type: !69)
!83 = !DILocalVariable(name: "big", arg: 2, scope: !66, file: !3, line: 10, type: !73)
!84 = !{!85, !63, i64 0}
!85 = !{!"point", !63, i64 0, !63, i64 4}
!86 = !{!85, !63, i64 4}
!87 = !DILocation(line: 10, column: 32, scope: !66)
!88 = !DILocation(line: 10, column: 47, scope: !66)
!89 = !DILocation(line: 10, column: 65, scope: !66)
!90 = !DILocation(line: 10, column: 56, scope: !66)
!91 = !DILocation(line: 10, column: 58, scope: !66)
!92 = !DILocation(line: 10, column: 58, scope: !66, atomGroup: 1, atomRank: 2)
!93 = !DILocation(line: 10, column: 58, scope: !66, atomGroup: 1, atomRank: 1)
!94 = !DILocation(line: 10, column: 79, scope: !66, atomGroup: 2, atomRank: 1)
!95 = !{i64 0, i64 4, !62, i64 4, i64 4, !62}
!96 = !DILocation(line: 10, column: 72, scope: !66, atomGroup: 2, atomRank: 1)
!97 = !DILocation(line: 18, column: 14, scope: !14)
!98 = !{!99, !99, i64 0}
!99 = !{!"p2 omnipotent char", !100, i64 0}
!100 = !{!"any p2 pointer", !101, i64 0}
!101 = !{!"any pointer", !64, i64 0}
!102 = !DILocation(line: 18, column: 27, scope: !14)
!103 = !DILocation(line: 20, column: 3, scope: !14)
!104 = !DILocation(line: 20, column: 14, scope: !14)
!105 = !DILocation(line: 20, column: 18, scope: !14)
!106 = !DILocation(line: 20, column: 23, scope: !14)
!107 = !DILocation(line: 20, column: 18, scope: !14, atomGroup: 1, atomRank: 2)
!108 = !DILocation(line: 20, column: 14, scope: !14, atomGroup: 1, atomRank: 1)
!109 = !DILocation(line: 21, column: 3, scope: !14)
!110 = !DILocation(line: 21, column: 8, scope: !14)
!111 = !DILocation(line: 21, column: 8, scope: !14, atomGroup: 2, atomRank: 1)
!112 = !DILocation(line: 22, column: 11, scope: !14, atomGroup: 3, atomRank: 2)
!113 = !DILocation(line: 22, column: 3, scope: !14, atomGroup: 3, atomRank: 1)
!114 = !DILocation(line: 23, column: 12, scope: !115)
!115 = distinct !DILexicalBlock(scope: !14, file: !3, line: 22, column: 17)
!116 = !DILocation(line: 24, column: 13, scope: !115, atomGroup: 4, atomRank: 1)
!117 = !DILocation(line: 24, column: 22, scope: !115, atomGroup: 5, atomRank: 1)
!118 = !DILocation(line: 25, column: 39, scope: !115)
!119 = !DILocation(line: 25, column: 44, scope: !115)
!120 = !DILocation(line: 25, column: 33, scope: !115)
!121 = !{!122, !122, i64 0}
!122 = !{!"p1 omnipotent char", !101, i64 0}
!123 = !DILocation(line: 25, column: 52, scope: !115)
!124 = !{!64, !64, i64 0}
!125 = !DILocation(line: 25, column: 70, scope: !115)
!126 = !{!127, !127, i64 0}
!127 = !{!"double", !64, i64 0}
!128 = !DILocation(line: 25, column: 60, scope: !115)
!129 = !DILocation(line: 25, column: 55, scope: !115)
!130 = !DILocation(line: 25, column: 12, scope: !115)
!131 = !DILocation(line: 26, column: 3, scope: !115)
!132 = !DILocation(line: 27, column: 12, scope: !14)
!133 = !DILocation(line: 27, column: 9, scope: !14)
!134 = !DILocation(line: 27, column: 9, scope: !14, atomGroup: 6, atomRank: 2)
!135 = !DILocation(line: 27, column: 9, scope: !14, atomGroup: 6, atomRank: 1)
!136 = !DILocation(line: 28, column: 10, scope: !14)
!137 = !DILocation(line: 28, column: 14, scope: !14)
!138 = !DILocation(line: 28, column: 12, scope: !14)
!139 = !DILocation(line: 28, column: 24, scope: !14)
!140 = !DILocation(line: 28, column: 22, scope: !14, atomGroup: 8, atomRank: 2)
!141 = !DILocation(line: 29, column: 1, scope: !14)
!142 = !DILocation(line: 28, column: 3, scope: !14, atomGroup: 8, atomRank: 1)
!143 = !DISubprogram(name: "printf", scope: !3, file: !3, line: 7, type: !144, flags: DIFlagPrototyped, spFlags: DISPFlagOptimized)
!144 = !DISubroutineType(types: !145)
!145 = !{!6, !50, null}
!146 = distinct !DISubprogram(name: "mean", scope: !3, file: !3, line: 12, type: !147, scopeLine: 12, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !2, retainedNodes: !152, keyInstructions: true)
!147 = !DISubroutineType(types: !148)
!148 = !{!149, !150, !80}
!149 = !DIBasicType(name: "double", size: 64, encoding: DW_ATE_float)
!150 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !151, size: 32)
!151 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !149)
!152 = !{!153, !154, !155, !156}
!153 = !DILocalVariable(name: "v", arg: 1, scope: !146, file: !3, line: 12, type: !150)
!154 = !DILocalVariable(name: "n", arg: 2, scope: !146, file: !3, line: 12, type: !80)
!155 = !DILocalVariable(name: "s", scope: !146, file: !3, line: 13, type: !149)
!156 = !DILocalVariable(name: "i", scope: !157, file: !3, line: 14, type: !80)
!157 = distinct !DILexicalBlock(scope: !146, file: !3, line: 14, column: 3)
!158 = !{!159, !159, i64 0}
!159 = !{!"p1 double", !101, i64 0}
!160 = !DILocation(line: 12, column: 34, scope: !146)
!161 = !DILocation(line: 12, column: 46, scope: !146)
!162 = !DILocation(line: 13, column: 3, scope: !146)
!163 = !DILocation(line: 13, column: 10, scope: !146)
!164 = !DILocation(line: 13, column: 10, scope: !146, atomGroup: 1, atomRank: 1)
!165 = !DILocation(line: 14, column: 8, scope: !157)
!166 = !DILocation(line: 14, column: 17, scope: !157)
!167 = !DILocation(line: 14, column: 17, scope: !157, atomGroup: 2, atomRank: 1)
!168 = !DILocation(line: 14, column: 24, scope: !169)
!169 = distinct !DILexicalBlock(scope: !157, file: !3, line: 14, column: 3)
!170 = !DILocation(line: 14, column: 28, scope: !169)
!171 = !DILocation(line: 14, column: 26, scope: !169, atomGroup: 3, atomRank: 1)
!172 = !DILocation(line: 14, column: 3, scope: !157, atomGroup: 4, atomRank: 1)
!173 = !DILocation(line: 14, column: 3, scope: !169)
!174 = !DILocation(line: 14, column: 41, scope: !169)
!175 = !DILocation(line: 14, column: 43, scope: !169)
!176 = !DILocation(line: 14, column: 38, scope: !169)
!177 = !DILocation(line: 14, column: 38, scope: !169, atomGroup: 5, atomRank: 2)
!178 = !DILocation(line: 14, column: 38, scope: !169, atomGroup: 5, atomRank: 1)
!179 = !DILocation(line: 14, column: 36, scope: !169, atomGroup: 7, atomRank: 1)
!180 = !DILocation(line: 14, column: 32, scope: !169)
!181 = !DILocation(line: 14, column: 32, scope: !169, atomGroup: 6, atomRank: 2)
!182 = !DILocation(line: 14, column: 32, scope: !169, atomGroup: 6, atomRank: 1)
!183 = distinct !{!183, !184, !185, !186}
!184 = !DILocation(line: 14, column: 3, scope: !157)
!185 = !DILocation(line: 14, column: 44, scope: !157)
!186 = !{!"llvm.loop.mustprogress"}
!187 = !DILocation(line: 15, column: 10, scope: !146)
!188 = !DILocation(line: 15, column: 10, scope: !146, atomGroup: 9, atomRank: 2)
!189 = !DILocation(line: 15, column: 10, scope: !146, atomGroup: 9, atomRank: 1)
!190 = !DILocation(line: 15, column: 14, scope: !146)
!191 = !DILocation(line: 15, column: 18, scope: !146)
!192 = !DILocation(line: 15, column: 16, scope: !146)
!193 = !DILocation(line: 15, column: 10, scope: !146, atomGroup: 10, atomRank: 2)
!194 = !DILocation(line: 16, column: 1, scope: !146)
!195 = !DILocation(line: 15, column: 3, scope: !146, atomGroup: 10, atomRank: 1)
