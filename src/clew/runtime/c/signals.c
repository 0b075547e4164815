/* signal.h: handlers that the program sets, called when it raises a signal itself. Signals from outside never come. */

#include <signal.h>
#include <string.h>

#define LIMIT 65

typedef void (*handler)(int);

extern void __clew_default_action(int number);        /* a model in Python; returns if the signal is ignored */

static handler __clew_actions[LIMIT];
static struct sigaction __clew_details[LIMIT];

static int __clew_settable(int number)
{
    return number > 0 && number < LIMIT && number != SIGKILL && number != SIGSTOP;
}

handler signal(int number, handler function)
{
    if (!__clew_settable(number))
        return SIG_ERR;
    handler old = __clew_actions[number];
    __clew_actions[number] = function;
    memset(&__clew_details[number], 0, sizeof __clew_details[number]);
    __clew_details[number].sa_handler = function;
    return old;
}

int sigaction(int number, const struct sigaction *restrict action, struct sigaction *restrict old)
{
    if (!__clew_settable(number))
        return -1;
    if (old)
        *old = __clew_details[number];
    if (action) {
        __clew_details[number] = *action;
        __clew_actions[number] = action->sa_handler;
    }
    return 0;
}

int raise(int number)
{
    if (number <= 0 || number >= LIMIT)
        return -1;
    handler function = __clew_actions[number];
    if (function == SIG_IGN)
        return 0;
    if (function == SIG_DFL)
        __clew_default_action(number);
    else if (__clew_details[number].sa_flags & SA_SIGINFO) {
        siginfo_t information;
        memset(&information, 0, sizeof information);
        information.si_signo = number;
        __clew_details[number].sa_sigaction(number, &information, 0);
    } else
        function(number);
    return 0;
}

int sigemptyset(sigset_t *set)
{
    memset(set, 0, sizeof *set);
    return 0;
}

int sigfillset(sigset_t *set)
{
    memset(set, 255, sizeof *set);
    return 0;
}

static unsigned char *__clew_byte(const sigset_t *set, int number)
{
    return (unsigned char *)set + (number - 1) / 8;
}

int sigaddset(sigset_t *set, int number)
{
    if (number <= 0 || number >= LIMIT)
        return -1;
    *__clew_byte(set, number) |= 1 << (number - 1) % 8;
    return 0;
}

int sigdelset(sigset_t *set, int number)
{
    if (number <= 0 || number >= LIMIT)
        return -1;
    *__clew_byte(set, number) &= ~(1 << (number - 1) % 8);
    return 0;
}

int sigismember(const sigset_t *set, int number)
{
    if (number <= 0 || number >= LIMIT)
        return -1;
    return *__clew_byte(set, number) >> (number - 1) % 8 & 1;
}
