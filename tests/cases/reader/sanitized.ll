; int divide(int a, int b, int s) { int t[4] = {1, 2}; return a / b + (a << s) + t[b]; }
; ModuleID = 'sanitized.c'
source_filename = "sanitized.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux5.10.0-gnu2.31.0"

@__const.divide.t = private unnamed_addr constant [4 x i32] [i32 1, i32 2, i32 0, i32 0], align 16
@.src = private unnamed_addr constant [12 x i8] c"sanitized.c\00", align 1
@0 = private unnamed_addr constant { i16, i16, [6 x i8] } { i16 0, i16 11, [6 x i8] c"'int'\00" }
@1 = private unnamed_addr constant { i16, i16, [9 x i8] } { i16 -1, i16 0, [9 x i8] c"'int[4]'\00" }

; Function Attrs: nounwind sspstrong uwtable
define i32 @divide(i32 noundef %a, i32 noundef %b, i32 noundef %s) #0 !dbg !13 {
entry:
  %a.addr = alloca i32, align 4
  %b.addr = alloca i32, align 4
  %s.addr = alloca i32, align 4
  %t = alloca [4 x i32], align 16
  store i32 %a, ptr %a.addr, align 4, !tbaa !9
    #dbg_declare(ptr %a.addr, !18, !DIExpression(), !25)
  store i32 %b, ptr %b.addr, align 4, !tbaa !9
    #dbg_declare(ptr %b.addr, !19, !DIExpression(), !26)
  store i32 %s, ptr %s.addr, align 4, !tbaa !9
    #dbg_declare(ptr %s.addr, !20, !DIExpression(), !27)
  call void @llvm.lifetime.start.p0(ptr %t) #6, !dbg !28
    #dbg_declare(ptr %t, !21, !DIExpression(), !29)
  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %t, ptr align 16 @__const.divide.t, i64 16, i1 false), !dbg !30
  %0 = load i32, ptr %a.addr, align 4, !dbg !31, !tbaa !9
  %1 = load i32, ptr %b.addr, align 4, !dbg !32, !tbaa !9
  %2 = icmp ne i32 %1, 0, !dbg !33, !nosanitize !34
  %3 = icmp ne i32 %0, -2147483648, !dbg !33, !nosanitize !34
  %4 = icmp ne i32 %1, -1, !dbg !33, !nosanitize !34
  %or = or i1 %3, %4, !dbg !33, !nosanitize !34
  %5 = and i1 %2, %or, !dbg !33, !nosanitize !34
  br i1 %5, label %cont, label %trap, !dbg !33, !prof !35, !nosanitize !34

trap:                                             ; preds = %entry
  call void @llvm.ubsantrap(i8 3) #7, !dbg !36, !nosanitize !34
  unreachable, !dbg !36, !nosanitize !34

cont:                                             ; preds = %entry
  %div = sdiv i32 %0, %1, !dbg !33
  %6 = load i32, ptr %a.addr, align 4, !dbg !39, !tbaa !9
  %7 = load i32, ptr %s.addr, align 4, !dbg !40, !tbaa !9
  %8 = icmp ule i32 %7, 31, !dbg !41, !nosanitize !34
  br i1 %8, label %check, label %cont1, !dbg !41, !nosanitize !34

check:                                            ; preds = %cont
  %shl.zeros = sub nuw nsw i32 31, %7, !dbg !41, !nosanitize !34
  %shl.check = lshr i32 %6, %shl.zeros, !dbg !41, !nosanitize !34
  %9 = icmp eq i32 %shl.check, 0, !dbg !41, !nosanitize !34
  br label %cont1, !dbg !41, !nosanitize !34

cont1:                                            ; preds = %check, %cont
  %10 = phi i1 [ true, %cont ], [ %9, %check ], !dbg !41, !nosanitize !34
  %11 = and i1 %8, %10, !dbg !41, !nosanitize !34
  br i1 %11, label %cont3, label %trap2, !dbg !41, !prof !35, !nosanitize !34

trap2:                                            ; preds = %cont1
  call void @llvm.ubsantrap(i8 20) #7, !dbg !42, !nosanitize !34
  unreachable, !dbg !42, !nosanitize !34

cont3:                                            ; preds = %cont1
  %shl = shl i32 %6, %7, !dbg !41
  %12 = call { i32, i1 } @llvm.sadd.with.overflow.i32(i32 %div, i32 %shl), !dbg !44, !nosanitize !34
  %13 = extractvalue { i32, i1 } %12, 0, !dbg !44, !nosanitize !34
  %14 = extractvalue { i32, i1 } %12, 1, !dbg !44, !nosanitize !34
  %15 = xor i1 %14, true, !dbg !44, !nosanitize !34
  br i1 %15, label %cont5, label %trap4, !dbg !44, !prof !35, !nosanitize !34

trap4:                                            ; preds = %cont11, %cont3
  call void @llvm.ubsantrap(i8 0) #7, !dbg !45, !nosanitize !34
  unreachable, !dbg !46, !nosanitize !34

cont5:                                            ; preds = %cont3
  %16 = load i32, ptr %b.addr, align 4, !dbg !48, !tbaa !9
  %17 = sext i32 %16 to i64, !dbg !49, !nosanitize !34
  %18 = icmp ult i64 %17, 4, !dbg !49, !nosanitize !34
  br i1 %18, label %cont7, label %trap6, !dbg !49, !prof !35, !nosanitize !34

trap6:                                            ; preds = %cont5
  call void @llvm.ubsantrap(i8 18) #7, !dbg !50, !nosanitize !34
  unreachable, !dbg !50, !nosanitize !34

cont7:                                            ; preds = %cont5
  %idxprom = sext i32 %16 to i64, !dbg !49
  %arrayidx = getelementptr inbounds [4 x i32], ptr %t, i64 0, i64 %idxprom, !dbg !49
  %19 = call { i64, i1 } @llvm.smul.with.overflow.i64(i64 4, i64 %idxprom), !dbg !49, !nosanitize !34
  %20 = extractvalue { i64, i1 } %19, 1, !dbg !49, !nosanitize !34
  %21 = or i1 %20, false, !dbg !49, !nosanitize !34
  %22 = extractvalue { i64, i1 } %19, 0, !dbg !49, !nosanitize !34
  %23 = ptrtoint ptr %t to i64, !dbg !49, !nosanitize !34
  %24 = add i64 %23, %22, !dbg !49, !nosanitize !34
  %25 = icmp ne ptr %t, null, !dbg !49, !nosanitize !34
  %26 = icmp ne i64 %24, 0, !dbg !49, !nosanitize !34
  %27 = icmp eq i1 %25, %26, !dbg !49, !nosanitize !34
  %28 = xor i1 %21, true, !dbg !49, !nosanitize !34
  %29 = icmp uge i64 %24, %23, !dbg !49, !nosanitize !34
  %30 = icmp sge i64 %22, 0, !dbg !49, !nosanitize !34
  %31 = icmp ult i64 %24, %23, !dbg !49, !nosanitize !34
  %32 = select i1 %30, i1 %29, i1 %31, !dbg !49, !nosanitize !34
  %33 = and i1 %32, %28, !dbg !49, !nosanitize !34
  %34 = and i1 %27, %33, !dbg !49, !nosanitize !34
  br i1 %34, label %cont9, label %trap8, !dbg !49, !prof !35, !nosanitize !34

trap8:                                            ; preds = %cont7
  call void @llvm.ubsantrap(i8 19) #7, !dbg !52, !nosanitize !34
  unreachable, !dbg !52, !nosanitize !34

cont9:                                            ; preds = %cont7
  %35 = icmp ne ptr %arrayidx, null, !dbg !49, !nosanitize !34
  %36 = call i64 @llvm.objectsize.i64.p0(ptr %arrayidx, i1 false, i1 false, i1 false), !dbg !49, !nosanitize !34
  %37 = icmp uge i64 %36, 4, !dbg !49, !nosanitize !34
  %38 = ptrtoint ptr %arrayidx to i64, !dbg !49, !nosanitize !34
  %39 = and i64 %38, 3, !dbg !49, !nosanitize !34
  %40 = icmp eq i64 %39, 0, !dbg !49, !nosanitize !34
  %41 = and i1 %35, %37, !dbg !49, !nosanitize !34
  %42 = and i1 %41, %40, !dbg !49, !nosanitize !34
  br i1 %42, label %cont11, label %trap10, !dbg !49, !prof !35, !nosanitize !34

trap10:                                           ; preds = %cont9
  call void @llvm.ubsantrap(i8 22) #7, !dbg !54, !nosanitize !34
  unreachable, !dbg !54, !nosanitize !34

cont11:                                           ; preds = %cont9
  %43 = load i32, ptr %arrayidx, align 4, !dbg !49, !tbaa !9
  %44 = call { i32, i1 } @llvm.sadd.with.overflow.i32(i32 %13, i32 %43), !dbg !56, !nosanitize !34
  %45 = extractvalue { i32, i1 } %44, 0, !dbg !57, !nosanitize !34
  %46 = extractvalue { i32, i1 } %44, 1, !dbg !56, !nosanitize !34
  %47 = xor i1 %46, true, !dbg !56, !nosanitize !34
  br i1 %47, label %cont12, label %trap4, !dbg !56, !prof !35, !nosanitize !34

cont12:                                           ; preds = %cont11
  call void @llvm.lifetime.end.p0(ptr %t) #6, !dbg !58
  ret i32 %45, !dbg !59
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(ptr captures(none)) #1

; Function Attrs: nocallback nofree nounwind willreturn memory(argmem: readwrite)
declare void @llvm.memcpy.p0.p0.i64(ptr noalias writeonly captures(none), ptr noalias readonly captures(none), i64, i1 immarg) #2

; Function Attrs: cold noreturn nounwind memory(inaccessiblemem: write)
declare void @llvm.ubsantrap(i8 immarg) #3

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare { i32, i1 } @llvm.sadd.with.overflow.i32(i32, i32) #4

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare { i64, i1 } @llvm.sadd.with.overflow.i64(i64, i64) #4

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare { i64, i1 } @llvm.smul.with.overflow.i64(i64, i64) #4

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.objectsize.i64.p0(ptr, i1 immarg, i1 immarg, i1 immarg) #5

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(ptr captures(none)) #1

attributes #0 = { nounwind sspstrong uwtable "frame-pointer"="all" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="4" }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { nocallback nofree nounwind willreturn memory(argmem: readwrite) }
attributes #3 = { cold noreturn nounwind memory(inaccessiblemem: write) }
attributes #4 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #5 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #6 = { nounwind }
attributes #7 = { noreturn nounwind }

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3, !4, !5, !6, !7}
!llvm.ident = !{!8}
!llvm.errno.tbaa = !{!9}

!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, producer: "clang version 22.1.8", isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug, splitDebugInlining: false, nameTableKind: None)
!1 = !DIFile(filename: "sanitized.c", directory: "/home/user/project")
!2 = !{i32 7, !"Dwarf Version", i32 4}
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = !{i32 1, !"wchar_size", i32 4}
!5 = !{i32 8, !"PIC Level", i32 2}
!6 = !{i32 7, !"uwtable", i32 2}
!7 = !{i32 7, !"frame-pointer", i32 2}
!8 = !{!"clang version 22.1.8"}
!9 = !{!10, !10, i64 0}
!10 = !{!"int", !11, i64 0}
!11 = !{!"omnipotent char", !12, i64 0}
!12 = !{!"Simple C/C++ TBAA"}
!13 = distinct !DISubprogram(name: "divide", scope: !1, file: !1, line: 1, type: !14, scopeLine: 1, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0, retainedNodes: !17, keyInstructions: true)
!14 = !DISubroutineType(types: !15)
!15 = !{!16, !16, !16, !16}
!16 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!17 = !{!18, !19, !20, !21}
!18 = !DILocalVariable(name: "a", arg: 1, scope: !13, file: !1, line: 1, type: !16)
!19 = !DILocalVariable(name: "b", arg: 2, scope: !13, file: !1, line: 1, type: !16)
!20 = !DILocalVariable(name: "s", arg: 3, scope: !13, file: !1, line: 1, type: !16)
!21 = !DILocalVariable(name: "t", scope: !13, file: !1, line: 1, type: !22)
!22 = !DICompositeType(tag: DW_TAG_array_type, baseType: !16, size: 128, elements: !23)
!23 = !{!24}
!24 = !DISubrange(count: 4)
!25 = !DILocation(line: 1, column: 16, scope: !13)
!26 = !DILocation(line: 1, column: 23, scope: !13)
!27 = !DILocation(line: 1, column: 30, scope: !13)
!28 = !DILocation(line: 1, column: 35, scope: !13)
!29 = !DILocation(line: 1, column: 39, scope: !13)
!30 = !DILocation(line: 1, column: 39, scope: !13, atomGroup: 1, atomRank: 1)
!31 = !DILocation(line: 1, column: 61, scope: !13)
!32 = !DILocation(line: 1, column: 65, scope: !13)
!33 = !DILocation(line: 1, column: 63, scope: !13)
!34 = !{}
!35 = !{!"branch_weights", i32 1048575, i32 1}
!36 = !DILocation(line: 0, scope: !37, inlinedAt: !33)
!37 = distinct !DISubprogram(name: "__clang_trap_msg$Undefined Behavior Sanitizer$Integer divide or remainder overflowed", scope: !1, file: !1, type: !38, flags: DIFlagArtificial, spFlags: DISPFlagDefinition, unit: !0, keyInstructions: true)
!38 = !DISubroutineType(types: null)
!39 = !DILocation(line: 1, column: 70, scope: !13)
!40 = !DILocation(line: 1, column: 75, scope: !13)
!41 = !DILocation(line: 1, column: 72, scope: !13)
!42 = !DILocation(line: 0, scope: !43, inlinedAt: !41)
!43 = distinct !DISubprogram(name: "__clang_trap_msg$Undefined Behavior Sanitizer$Shift exponent is too large for the type", scope: !1, file: !1, type: !38, flags: DIFlagArtificial, spFlags: DISPFlagDefinition, unit: !0, keyInstructions: true)
!44 = !DILocation(line: 1, column: 67, scope: !13)
!45 = !DILocation(line: 1, scope: !13)
!46 = !DILocation(line: 0, scope: !47, inlinedAt: !44)
!47 = distinct !DISubprogram(name: "__clang_trap_msg$Undefined Behavior Sanitizer$signed integer addition overflow in 'a / b + (a << s)'", scope: !1, file: !1, type: !38, flags: DIFlagArtificial, spFlags: DISPFlagDefinition, unit: !0, keyInstructions: true)
!48 = !DILocation(line: 1, column: 82, scope: !13)
!49 = !DILocation(line: 1, column: 80, scope: !13)
!50 = !DILocation(line: 0, scope: !51, inlinedAt: !49)
!51 = distinct !DISubprogram(name: "__clang_trap_msg$Undefined Behavior Sanitizer$Array index out of bounds", scope: !1, file: !1, type: !38, flags: DIFlagArtificial, spFlags: DISPFlagDefinition, unit: !0, keyInstructions: true)
!52 = !DILocation(line: 0, scope: !53, inlinedAt: !49)
!53 = distinct !DISubprogram(name: "__clang_trap_msg$Undefined Behavior Sanitizer$Pointer arithmetic overflowed bounds", scope: !1, file: !1, type: !38, flags: DIFlagArtificial, spFlags: DISPFlagDefinition, unit: !0, keyInstructions: true)
!54 = !DILocation(line: 0, scope: !55, inlinedAt: !49)
!55 = distinct !DISubprogram(name: "__clang_trap_msg$Undefined Behavior Sanitizer$Alignment, null, or object-size error", scope: !1, file: !1, type: !38, flags: DIFlagArtificial, spFlags: DISPFlagDefinition, unit: !0, keyInstructions: true)
!56 = !DILocation(line: 1, column: 78, scope: !13)
!57 = !DILocation(line: 1, column: 78, scope: !13, atomGroup: 3, atomRank: 2)
!58 = !DILocation(line: 1, column: 86, scope: !13)
!59 = !DILocation(line: 1, column: 54, scope: !13, atomGroup: 3, atomRank: 1)
