# clew_add_test: symbolic execution as a test of CTest.
#
#   include(Clew)
#   clew_add_test(NAME parse_has_no_bugs TARGET parser FUNCTION parse TIME 30)
#   clew_add_test(NAME proof COMMAND verify SOURCES proof.c ARGS --check all)
#
# NAME      of the test
# TARGET    its C sources, include folders, definitions and options are those of this target
# SOURCES   C files, instead of those of the target or beside them
# COMMAND   test (default), verify or project
# FUNCTION  run this function, with symbolic parameters, and not main
# TIME      seconds for the run (default 60)
# FAIL_ON   which bugs fail the test (default any; of verify also unknown)
# BASELINE  bugs of this summary.json, results.sarif or output folder are known
# ARGS      more options of clew
#
# Results are in clew-out below the build folder; CLEW_EXECUTABLE names another clew.
cmake_minimum_required(VERSION 3.16)

find_program(CLEW_EXECUTABLE clew DOC "The symbolic execution engine Clew")

function(clew_add_test)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME;TARGET;COMMAND;FUNCTION;TIME;FAIL_ON;BASELINE" "SOURCES;ARGS")
  if(NOT arg_NAME)
    message(FATAL_ERROR "clew_add_test needs a NAME")
  endif()
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "clew_add_test does not know ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT arg_TARGET AND NOT arg_SOURCES)
    message(FATAL_ERROR "clew_add_test needs a TARGET or SOURCES")
  endif()
  if(NOT CLEW_EXECUTABLE)
    message(WARNING "clew is not there: ${arg_NAME} is not tested (pip install clew, or set CLEW_EXECUTABLE)")
    return()
  endif()
  if(NOT arg_COMMAND)
    set(arg_COMMAND test)
  endif()
  if(NOT arg_TIME)
    set(arg_TIME 60)
  endif()
  if(NOT arg_FAIL_ON)
    set(arg_FAIL_ON any)
    if(arg_COMMAND STREQUAL verify)
      set(arg_FAIL_ON any,unknown)
    endif()
  endif()

  set(files)
  foreach(source IN LISTS arg_SOURCES)
    get_filename_component(path "${source}" ABSOLUTE)
    list(APPEND files "${path}")
  endforeach()
  set(flags)
  if(arg_TARGET)
    get_target_property(folder ${arg_TARGET} SOURCE_DIR)
    get_target_property(sources ${arg_TARGET} SOURCES)
    foreach(source IN LISTS sources)
      if(source MATCHES "\\.c$")
        get_filename_component(path "${source}" ABSOLUTE BASE_DIR "${folder}")
        list(APPEND files "${path}")
      endif()
    endforeach()
    set(includes "$<TARGET_PROPERTY:${arg_TARGET},INCLUDE_DIRECTORIES>")
    set(definitions "$<TARGET_PROPERTY:${arg_TARGET},COMPILE_DEFINITIONS>")
    set(options "$<TARGET_PROPERTY:${arg_TARGET},COMPILE_OPTIONS>")
    list(APPEND flags "$<$<BOOL:${includes}>:-I$<JOIN:${includes},$<SEMICOLON>-I>>")
    list(APPEND flags "$<$<BOOL:${definitions}>:-D$<JOIN:${definitions},$<SEMICOLON>-D>>")
    list(APPEND flags "${options}")
  endif()
  set(more)
  if(arg_FUNCTION)
    list(APPEND more --function "${arg_FUNCTION}")
  endif()
  if(arg_BASELINE)
    get_filename_component(path "${arg_BASELINE}" ABSOLUTE)
    list(APPEND more --baseline "${path}")
  endif()
  add_test(
    NAME "${arg_NAME}"
    COMMAND "${CLEW_EXECUTABLE}" ${arg_COMMAND} ${files} --time ${arg_TIME} --fail-on ${arg_FAIL_ON} ${more} ${arg_ARGS} -- ${flags}
    WORKING_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}"
    COMMAND_EXPAND_LISTS)
  math(EXPR patience "${arg_TIME} * 2 + 60")
  set_tests_properties("${arg_NAME}" PROPERTIES LABELS clew TIMEOUT ${patience})
endfunction()
