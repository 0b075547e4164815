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
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux5.10.0-gnu2.31.0"

%struct.list = type { ptr, [2 x %struct.point], i8 }
%struct.point = type { i32, i32 }
%union.word = type { i32 }

@counter = global i32 3, align 4, !dbg !0
@main.calls = internal global i32 0, align 4, !dbg !12
@__const.main.w = private unnamed_addr constant { float } { float 1.500000e+00 }, align 4
@.str = private unnamed_addr constant [10 x i8] c"%s %d %f\0A\00", align 1, !dbg !31
@names = internal constant [2 x ptr] [ptr @.str.1, ptr @.str.2], align 16, !dbg !46
@.str.1 = private unnamed_addr constant [4 x i8] c"red\00", align 1, !dbg !36
@.str.2 = private unnamed_addr constant [7 x i8] c"green\0A\00", align 1, !dbg !41

; Function Attrs: nounwind uwtable
define i64 @move(i64 %p.coerce, ptr noundef byval(%struct.list) align 8 %big) #0 !dbg !65 {
entry:
  %retval = alloca %struct.point, align 4
  %p = alloca %struct.point, align 4
  store i64 %p.coerce, ptr %p, align 4
    #dbg_declare(ptr %p, !81, !DIExpression(), !83)
    #dbg_declare(ptr %big, !82, !DIExpression(), !84)
  %flags = getelementptr inbounds nuw %struct.list, ptr %big, i32 0, i32 2, !dbg !85
  %bf.load = load i8, ptr %flags, align 8, !dbg !85
  %bf.clear = and i8 %bf.load, 7, !dbg !85
  %bf.cast = zext i8 %bf.clear to i32, !dbg !85
  %x = getelementptr inbounds nuw %struct.point, ptr %p, i32 0, i32 0, !dbg !86
  %0 = load i32, ptr %x, align 4, !dbg !87, !tbaa !88
  %add = add nsw i32 %0, %bf.cast, !dbg !90
  store i32 %add, ptr %x, align 4, !dbg !91, !tbaa !88
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %retval, ptr align 4 %p, i64 8, i1 false), !dbg !92, !tbaa.struct !93
  %1 = load i64, ptr %retval, align 4, !dbg !94
  ret i64 %1, !dbg !95
}

; Function Attrs: nocallback nofree nounwind willreturn memory(argmem: readwrite)
declare void @llvm.memcpy.p0.p0.i64(ptr noalias writeonly captures(none), ptr noalias readonly captures(none), i64, i1 immarg) #1

; Function Attrs: nounwind uwtable
define i32 @main(i32 noundef %argc, ptr noundef %argv) #0 !dbg !14 {
entry:
  %retval = alloca i32, align 4
  %argc.addr = alloca i32, align 4
  %argv.addr = alloca ptr, align 8
  %c = alloca i32, align 4
  %w = alloca %union.word, align 4
  %.compoundliteral = alloca [2 x double], align 8
  store i32 0, ptr %retval, align 4
  store i32 %argc, ptr %argc.addr, align 4, !tbaa !61
    #dbg_declare(ptr %argc.addr, !21, !DIExpression(), !96)
  store ptr %argv, ptr %argv.addr, align 8, !tbaa !97
    #dbg_declare(ptr %argv.addr, !22, !DIExpression(), !101)
  call void @llvm.lifetime.start.p0(ptr %c) #5, !dbg !102
    #dbg_declare(ptr %c, !23, !DIExpression(), !103)
  %0 = load i32, ptr %argc.addr, align 4, !dbg !104, !tbaa !61
  %cmp = icmp sgt i32 %0, 2, !dbg !105
  %1 = zext i1 %cmp to i64, !dbg !104
  %cond = select i1 %cmp, i32 -1, i32 0, !dbg !106
  store i32 %cond, ptr %c, align 4, !dbg !107, !tbaa !61
  call void @llvm.lifetime.start.p0(ptr %w) #5, !dbg !108
    #dbg_declare(ptr %w, !24, !DIExpression(), !109)
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %w, ptr align 4 @__const.main.w, i64 4, i1 false), !dbg !110
  %2 = load i32, ptr %argc.addr, align 4, !dbg !111, !tbaa !61
  switch i32 %2, label %sw.default [
    i32 -1, label %sw.bb
    i32 1, label %sw.bb1
  ], !dbg !112

sw.bb:                                            ; preds = %entry
  call void @stop(i32 noundef 1) #6, !dbg !113
  unreachable, !dbg !113

sw.bb1:                                           ; preds = %entry
  store i32 5, ptr %c, align 4, !dbg !115, !tbaa !61
  br label %sw.epilog, !dbg !116

sw.default:                                       ; preds = %entry
  %3 = load i32, ptr %argc.addr, align 4, !dbg !117, !tbaa !61
  %and = and i32 %3, 1, !dbg !118
  %idxprom = sext i32 %and to i64, !dbg !119
  %arrayidx = getelementptr inbounds [2 x ptr], ptr @names, i64 0, i64 %idxprom, !dbg !119
  %4 = load ptr, ptr %arrayidx, align 8, !dbg !119, !tbaa !120
  %5 = load i32, ptr %w, align 4, !dbg !122, !tbaa !123
  store double 1.000000e+00, ptr %.compoundliteral, align 8, !dbg !124, !tbaa !125
  %arrayinit.element = getelementptr inbounds double, ptr %.compoundliteral, i64 1, !dbg !124
  store double 2.000000e+00, ptr %arrayinit.element, align 8, !dbg !124, !tbaa !125
  %arraydecay = getelementptr inbounds [2 x double], ptr %.compoundliteral, i64 0, i64 0, !dbg !127
  %call = call double @mean(ptr noundef %arraydecay, i32 noundef 2), !dbg !128
  %call2 = call i32 (ptr, ...) @printf(ptr noundef @.str, ptr noundef %4, i32 noundef %5, double noundef %call), !dbg !129
  br label %sw.epilog, !dbg !130

sw.epilog:                                        ; preds = %sw.default, %sw.bb1
  %6 = load ptr, ptr %argv.addr, align 8, !dbg !131, !tbaa !97
  %arrayidx3 = getelementptr inbounds ptr, ptr %6, i64 0, !dbg !131
  %7 = load ptr, ptr %arrayidx3, align 8, !dbg !131, !tbaa !120
  %arrayidx4 = getelementptr inbounds i8, ptr %7, i64 1, !dbg !131
  %8 = load i8, ptr %arrayidx4, align 1, !dbg !131, !tbaa !123
  %conv = sext i8 %8 to i32, !dbg !131
  %9 = load i32, ptr @main.calls, align 4, !dbg !132, !tbaa !61
  %add = add nsw i32 %9, %conv, !dbg !133
  store i32 %add, ptr @main.calls, align 4, !dbg !134, !tbaa !61
  %10 = load i32, ptr %c, align 4, !dbg !135, !tbaa !61
  %11 = load i32, ptr @counter, align 4, !dbg !136, !tbaa !61
  %add5 = add nsw i32 %10, %11, !dbg !137
  %12 = load i32, ptr @main.calls, align 4, !dbg !138, !tbaa !61
  %add6 = add nsw i32 %add5, %12, !dbg !139
  call void @llvm.lifetime.end.p0(ptr %w) #5, !dbg !140
  call void @llvm.lifetime.end.p0(ptr %c) #5, !dbg !140
  ret i32 %add6, !dbg !141
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(ptr captures(none)) #2

; Function Attrs: noreturn
declare void @stop(i32 noundef) #3

declare !dbg !142 i32 @printf(ptr noundef, ...) #4

; Function Attrs: nounwind uwtable
define internal double @mean(ptr noundef %v, i32 noundef %n) #0 !dbg !145 {
entry:
  %v.addr = alloca ptr, align 8
  %n.addr = alloca i32, align 4
  %s = alloca double, align 8
  %i = alloca i32, align 4
  store ptr %v, ptr %v.addr, align 8, !tbaa !157
    #dbg_declare(ptr %v.addr, !152, !DIExpression(), !159)
  store i32 %n, ptr %n.addr, align 4, !tbaa !61
    #dbg_declare(ptr %n.addr, !153, !DIExpression(), !160)
  call void @llvm.lifetime.start.p0(ptr %s) #5, !dbg !161
    #dbg_declare(ptr %s, !154, !DIExpression(), !162)
  store double 1.000000e-01, ptr %s, align 8, !dbg !163, !tbaa !125
  call void @llvm.lifetime.start.p0(ptr %i) #5, !dbg !164
    #dbg_declare(ptr %i, !155, !DIExpression(), !165)
  store i32 0, ptr %i, align 4, !dbg !166, !tbaa !61
  br label %for.cond, !dbg !164

for.cond:                                         ; preds = %for.inc, %entry
  %0 = load i32, ptr %i, align 4, !dbg !167, !tbaa !61
  %1 = load i32, ptr %n.addr, align 4, !dbg !169, !tbaa !61
  %cmp = icmp ult i32 %0, %1, !dbg !170
  br i1 %cmp, label %for.body, label %for.cond.cleanup, !dbg !171

for.cond.cleanup:                                 ; preds = %for.cond
  call void @llvm.lifetime.end.p0(ptr %i) #5, !dbg !172
  br label %for.end

for.body:                                         ; preds = %for.cond
  %2 = load ptr, ptr %v.addr, align 8, !dbg !173, !tbaa !157
  %3 = load i32, ptr %i, align 4, !dbg !174, !tbaa !61
  %idxprom = zext i32 %3 to i64, !dbg !173
  %arrayidx = getelementptr inbounds nuw double, ptr %2, i64 %idxprom, !dbg !173
  %4 = load double, ptr %arrayidx, align 8, !dbg !173, !tbaa !125
  %5 = load double, ptr %s, align 8, !dbg !175, !tbaa !125
  %add = fadd double %5, %4, !dbg !176
  store double %add, ptr %s, align 8, !dbg !177, !tbaa !125
  br label %for.inc, !dbg !178

for.inc:                                          ; preds = %for.body
  %6 = load i32, ptr %i, align 4, !dbg !179, !tbaa !61
  %inc = add i32 %6, 1, !dbg !180
  store i32 %inc, ptr %i, align 4, !dbg !181, !tbaa !61
  br label %for.cond, !dbg !172, !llvm.loop !182

for.end:                                          ; preds = %for.cond.cleanup
  %7 = load i32, ptr %n.addr, align 4, !dbg !186, !tbaa !61
  %tobool = icmp ne i32 %7, 0, !dbg !187
  br i1 %tobool, label %cond.true, label %cond.false, !dbg !188

cond.true:                                        ; preds = %for.end
  %8 = load double, ptr %s, align 8, !dbg !189, !tbaa !125
  %9 = load i32, ptr %n.addr, align 4, !dbg !190, !tbaa !61
  %conv = uitofp i32 %9 to double, !dbg !190
  %div = fdiv double %8, %conv, !dbg !191
  br label %cond.end, !dbg !186

cond.false:                                       ; preds = %for.end
  br label %cond.end, !dbg !186

cond.end:                                         ; preds = %cond.false, %cond.true
  %cond = phi double [ %div, %cond.true ], [ 0.000000e+00, %cond.false ], !dbg !192
  call void @llvm.lifetime.end.p0(ptr %s) #5, !dbg !193
  ret double %cond, !dbg !194
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
!llvm.module.flags = !{!54, !55, !56, !57, !58, !59}
!llvm.ident = !{!60}
!llvm.errno.tbaa = !{!61}

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
!17 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !18, size: 64)
!18 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !19, size: 64)
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
!48 = !DICompositeType(tag: DW_TAG_array_type, baseType: !49, size: 128, elements: !52)
!49 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !50)
!50 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !51, size: 64)
!51 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !19)
!52 = !{!53}
!53 = !DISubrange(count: 2)
!54 = !{i32 7, !"Dwarf Version", i32 4}
!55 = !{i32 2, !"Debug Info Version", i32 3}
!56 = !{i32 1, !"wchar_size", i32 4}
!57 = !{i32 8, !"PIC Level", i32 2}
!58 = !{i32 7, !"uwtable", i32 2}
!59 = !{i32 7, !"frame-pointer", i32 2}
!60 = !{!"clang version 22.1.8"}
!61 = !{!62, !62, i64 0}
!62 = !{!"int", !63, i64 0}
!63 = !{!"omnipotent char", !64, i64 0}
!64 = !{!"Simple C/C++ TBAA"}
!65 = distinct !DISubprogram(name: "move", scope: !3, file: !3, line: 10, type: !66, scopeLine: 10, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !2, retainedNodes: !80, keyInstructions: true)
!66 = !DISubroutineType(types: !67)
!67 = !{!68, !68, !72}
!68 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "point", file: !3, line: 1, size: 64, elements: !69)
!69 = !{!70, !71}
!70 = !DIDerivedType(tag: DW_TAG_member, name: "x", scope: !68, file: !3, line: 1, baseType: !6, size: 32)
!71 = !DIDerivedType(tag: DW_TAG_member, name: "y", scope: !68, file: !3, line: 1, baseType: !6, size: 32, offset: 32)
!72 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "list", file: !3, line: 2, size: 256, elements: !73)
!73 = !{!74, !76, !78}
!74 = !DIDerivedType(tag: DW_TAG_member, name: "next", scope: !72, file: !3, line: 2, baseType: !75, size: 64)
!75 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !72, size: 64)
!76 = !DIDerivedType(tag: DW_TAG_member, name: "at", scope: !72, file: !3, line: 2, baseType: !77, size: 128, offset: 64)
!77 = !DICompositeType(tag: DW_TAG_array_type, baseType: !68, size: 128, elements: !52)
!78 = !DIDerivedType(tag: DW_TAG_member, name: "flags", scope: !72, file: !3, line: 2, baseType: !79, size: 3, offset: 192, flags: DIFlagBitField, extraData: i64 192)
!79 = !DIBasicType(name: "unsigned int", size: 32, encoding: DW_ATE_unsigned)
!80 = !{!81, !82}
!81 = !DILocalVariable(name: "p", arg: 1, scope: !65, file: !3, line: 10, type: !68)
!82 = !DILocalVariable(name: "big", arg: 2, scope: !65, file: !3, line: 10, type: !72)
!83 = !DILocation(line: 10, column: 32, scope: !65)
!84 = !DILocation(line: 10, column: 47, scope: !65)
!85 = !DILocation(line: 10, column: 65, scope: !65)
!86 = !DILocation(line: 10, column: 56, scope: !65)
!87 = !DILocation(line: 10, column: 58, scope: !65)
!88 = !{!89, !62, i64 0}
!89 = !{!"point", !62, i64 0, !62, i64 4}
!90 = !DILocation(line: 10, column: 58, scope: !65, atomGroup: 1, atomRank: 2)
!91 = !DILocation(line: 10, column: 58, scope: !65, atomGroup: 1, atomRank: 1)
!92 = !DILocation(line: 10, column: 79, scope: !65, atomGroup: 2, atomRank: 1)
!93 = !{i64 0, i64 4, !61, i64 4, i64 4, !61}
!94 = !DILocation(line: 10, column: 72, scope: !65, atomGroup: 2, atomRank: 2)
!95 = !DILocation(line: 10, column: 72, scope: !65, atomGroup: 2, atomRank: 1)
!96 = !DILocation(line: 18, column: 14, scope: !14)
!97 = !{!98, !98, i64 0}
!98 = !{!"p2 omnipotent char", !99, i64 0}
!99 = !{!"any p2 pointer", !100, i64 0}
!100 = !{!"any pointer", !63, i64 0}
!101 = !DILocation(line: 18, column: 27, scope: !14)
!102 = !DILocation(line: 20, column: 3, scope: !14)
!103 = !DILocation(line: 20, column: 14, scope: !14)
!104 = !DILocation(line: 20, column: 18, scope: !14)
!105 = !DILocation(line: 20, column: 23, scope: !14)
!106 = !DILocation(line: 20, column: 18, scope: !14, atomGroup: 1, atomRank: 2)
!107 = !DILocation(line: 20, column: 14, scope: !14, atomGroup: 1, atomRank: 1)
!108 = !DILocation(line: 21, column: 3, scope: !14)
!109 = !DILocation(line: 21, column: 8, scope: !14)
!110 = !DILocation(line: 21, column: 8, scope: !14, atomGroup: 2, atomRank: 1)
!111 = !DILocation(line: 22, column: 11, scope: !14, atomGroup: 3, atomRank: 2)
!112 = !DILocation(line: 22, column: 3, scope: !14, atomGroup: 3, atomRank: 1)
!113 = !DILocation(line: 23, column: 12, scope: !114)
!114 = distinct !DILexicalBlock(scope: !14, file: !3, line: 22, column: 17)
!115 = !DILocation(line: 24, column: 13, scope: !114, atomGroup: 4, atomRank: 1)
!116 = !DILocation(line: 24, column: 22, scope: !114, atomGroup: 5, atomRank: 1)
!117 = !DILocation(line: 25, column: 39, scope: !114)
!118 = !DILocation(line: 25, column: 44, scope: !114)
!119 = !DILocation(line: 25, column: 33, scope: !114)
!120 = !{!121, !121, i64 0}
!121 = !{!"p1 omnipotent char", !100, i64 0}
!122 = !DILocation(line: 25, column: 52, scope: !114)
!123 = !{!63, !63, i64 0}
!124 = !DILocation(line: 25, column: 70, scope: !114)
!125 = !{!126, !126, i64 0}
!126 = !{!"double", !63, i64 0}
!127 = !DILocation(line: 25, column: 60, scope: !114)
!128 = !DILocation(line: 25, column: 55, scope: !114)
!129 = !DILocation(line: 25, column: 12, scope: !114)
!130 = !DILocation(line: 26, column: 3, scope: !114)
!131 = !DILocation(line: 27, column: 12, scope: !14)
!132 = !DILocation(line: 27, column: 9, scope: !14)
!133 = !DILocation(line: 27, column: 9, scope: !14, atomGroup: 6, atomRank: 2)
!134 = !DILocation(line: 27, column: 9, scope: !14, atomGroup: 6, atomRank: 1)
!135 = !DILocation(line: 28, column: 10, scope: !14)
!136 = !DILocation(line: 28, column: 14, scope: !14)
!137 = !DILocation(line: 28, column: 12, scope: !14)
!138 = !DILocation(line: 28, column: 24, scope: !14)
!139 = !DILocation(line: 28, column: 22, scope: !14, atomGroup: 8, atomRank: 2)
!140 = !DILocation(line: 29, column: 1, scope: !14)
!141 = !DILocation(line: 28, column: 3, scope: !14, atomGroup: 8, atomRank: 1)
!142 = !DISubprogram(name: "printf", scope: !3, file: !3, line: 7, type: !143, flags: DIFlagPrototyped, spFlags: DISPFlagOptimized)
!143 = !DISubroutineType(types: !144)
!144 = !{!6, !50, null}
!145 = distinct !DISubprogram(name: "mean", scope: !3, file: !3, line: 12, type: !146, scopeLine: 12, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !2, retainedNodes: !151, keyInstructions: true)
!146 = !DISubroutineType(types: !147)
!147 = !{!148, !149, !79}
!148 = !DIBasicType(name: "double", size: 64, encoding: DW_ATE_float)
!149 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !150, size: 64)
!150 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !148)
!151 = !{!152, !153, !154, !155}
!152 = !DILocalVariable(name: "v", arg: 1, scope: !145, file: !3, line: 12, type: !149)
!153 = !DILocalVariable(name: "n", arg: 2, scope: !145, file: !3, line: 12, type: !79)
!154 = !DILocalVariable(name: "s", scope: !145, file: !3, line: 13, type: !148)
!155 = !DILocalVariable(name: "i", scope: !156, file: !3, line: 14, type: !79)
!156 = distinct !DILexicalBlock(scope: !145, file: !3, line: 14, column: 3)
!157 = !{!158, !158, i64 0}
!158 = !{!"p1 double", !100, i64 0}
!159 = !DILocation(line: 12, column: 34, scope: !145)
!160 = !DILocation(line: 12, column: 46, scope: !145)
!161 = !DILocation(line: 13, column: 3, scope: !145)
!162 = !DILocation(line: 13, column: 10, scope: !145)
!163 = !DILocation(line: 13, column: 10, scope: !145, atomGroup: 1, atomRank: 1)
!164 = !DILocation(line: 14, column: 8, scope: !156)
!165 = !DILocation(line: 14, column: 17, scope: !156)
!166 = !DILocation(line: 14, column: 17, scope: !156, atomGroup: 2, atomRank: 1)
!167 = !DILocation(line: 14, column: 24, scope: !168)
!168 = distinct !DILexicalBlock(scope: !156, file: !3, line: 14, column: 3)
!169 = !DILocation(line: 14, column: 28, scope: !168)
!170 = !DILocation(line: 14, column: 26, scope: !168, atomGroup: 3, atomRank: 1)
!171 = !DILocation(line: 14, column: 3, scope: !156, atomGroup: 4, atomRank: 1)
!172 = !DILocation(line: 14, column: 3, scope: !168)
!173 = !DILocation(line: 14, column: 41, scope: !168)
!174 = !DILocation(line: 14, column: 43, scope: !168)
!175 = !DILocation(line: 14, column: 38, scope: !168)
!176 = !DILocation(line: 14, column: 38, scope: !168, atomGroup: 5, atomRank: 2)
!177 = !DILocation(line: 14, column: 38, scope: !168, atomGroup: 5, atomRank: 1)
!178 = !DILocation(line: 14, column: 36, scope: !168, atomGroup: 7, atomRank: 1)
!179 = !DILocation(line: 14, column: 32, scope: !168)
!180 = !DILocation(line: 14, column: 32, scope: !168, atomGroup: 6, atomRank: 2)
!181 = !DILocation(line: 14, column: 32, scope: !168, atomGroup: 6, atomRank: 1)
!182 = distinct !{!182, !183, !184, !185}
!183 = !DILocation(line: 14, column: 3, scope: !156)
!184 = !DILocation(line: 14, column: 44, scope: !156)
!185 = !{!"llvm.loop.mustprogress"}
!186 = !DILocation(line: 15, column: 10, scope: !145)
!187 = !DILocation(line: 15, column: 10, scope: !145, atomGroup: 9, atomRank: 2)
!188 = !DILocation(line: 15, column: 10, scope: !145, atomGroup: 9, atomRank: 1)
!189 = !DILocation(line: 15, column: 14, scope: !145)
!190 = !DILocation(line: 15, column: 18, scope: !145)
!191 = !DILocation(line: 15, column: 16, scope: !145)
!192 = !DILocation(line: 15, column: 10, scope: !145, atomGroup: 10, atomRank: 2)
!193 = !DILocation(line: 16, column: 1, scope: !145)
!194 = !DILocation(line: 15, column: 3, scope: !145, atomGroup: 10, atomRank: 1)
