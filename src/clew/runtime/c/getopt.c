/* unistd.h and getopt.h: options of the command line, in the order given (as with POSIXLY_CORRECT). */

#include <getopt.h>
#include <stdio.h>
#include <string.h>

char *optarg;
int optind = 1, opterr = 1, optopt;

/* No string literals in a call: their names in LLVM's code would be those of the program's own. */
static const char __clew_format[] = "%s: %s -- '%c'\n", __clew_long_format[] = "%s: unrecognized option '--%s'\n";
static const char __clew_invalid[] = "invalid option", __clew_missing[] = "option requires an argument";
static const char __clew_equals[] = "=";

static int __clew_within;                             /* characters of argv[optind] that are done */

static void __clew_complain(char *const argv[], const char *problem, int option)
{
    if (opterr)
        fprintf(stderr, __clew_format, argv[0], problem, option);
}

static int __clew_short(int argc, char *const argv[], const char *options)
{
    const char *word = argv[optind];
    int option = (unsigned char)word[__clew_within++];
    int quiet = options[0] == ':';
    const char *found = option == ':' ? 0 : strchr(options, option);
    int last = word[__clew_within] == 0;
    optarg = 0;
    if (!found || found[1] != ':') {
        if (last) {
            optind++;
            __clew_within = 0;
        }
        if (found)
            return option;
        optopt = option;
        if (!quiet)
            __clew_complain(argv, __clew_invalid, option);
        return '?';
    }
    if (!last)
        optarg = (char *)word + __clew_within;
    else if (found[2] != ':' && optind + 1 < argc)
        optarg = argv[++optind];
    else if (found[2] != ':') {
        optopt = option;
        if (!quiet)
            __clew_complain(argv, __clew_missing, option);
        option = quiet ? ':' : '?';
    }
    optind++;
    __clew_within = 0;
    return option;
}

static int __clew_next(int argc, char *const argv[])
{
    if (optind == 0) {
        optind = 1;
        __clew_within = 0;
    }
    if (__clew_within > 0)
        return 1;
    if (optind >= argc || !argv[optind] || argv[optind][0] != '-' || argv[optind][1] == 0)
        return 0;
    if (argv[optind][1] == '-' && argv[optind][2] == 0) {
        optind++;
        return 0;
    }
    return 1;
}

int getopt(int argc, char *const argv[], const char *options)
{
    if (!__clew_next(argc, argv))
        return -1;
    if (options[0] == '+' || options[0] == '-')
        options++;
    if (__clew_within == 0)
        __clew_within = 1;
    return __clew_short(argc, argv, options);
}

static int __clew_long(int argc, char *const argv[], const char *options, const struct option *table, int *index)
{
    const char *name = argv[optind] + 2;
    size_t length = strcspn(name, __clew_equals);
    const char *value = name[length] ? name + length + 1 : 0;
    int chosen = -1, matches = 0;
    optind++;
    optarg = 0;
    for (int at = 0; table[at].name; at++) {
        if (strncmp(table[at].name, name, length) != 0)
            continue;
        chosen = at;
        matches++;
        if (table[at].name[length] == 0) {
            matches = 1;
            break;
        }
    }
    if (matches != 1) {
        optopt = 0;
        if (opterr && options[0] != ':')
            fprintf(stderr, __clew_long_format, argv[0], name);
        return '?';
    }
    if (value && table[chosen].has_arg == no_argument) {
        optopt = table[chosen].val;
        return '?';
    }
    if (!value && table[chosen].has_arg == required_argument) {
        if (optind >= argc) {
            optopt = table[chosen].val;
            return options[0] == ':' ? ':' : '?';
        }
        value = argv[optind++];
    }
    optarg = (char *)value;
    if (index)
        *index = chosen;
    if (!table[chosen].flag)
        return table[chosen].val;
    *table[chosen].flag = table[chosen].val;
    return 0;
}

int getopt_long(int argc, char *const argv[], const char *options, const struct option *table, int *index)
{
    if (!__clew_next(argc, argv))
        return -1;
    if (options[0] == '+' || options[0] == '-')
        options++;
    if (__clew_within == 0 && argv[optind][1] == '-')
        return __clew_long(argc, argv, options, table, index);
    if (__clew_within == 0)
        __clew_within = 1;
    return __clew_short(argc, argv, options);
}
