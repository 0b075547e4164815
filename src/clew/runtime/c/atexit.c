/* stdlib.h: handlers that run when the program ends, newest first, and then its destructors.

   Linked only where a program registers handlers or has destructors. __clew_finish is started when main has
   returned. The other functions without a body are models in Python. */

#define LIMIT 256

typedef void (*handler)(void);
typedef void (*status_handler)(int, void *);

extern int __clew_result(void);                       /* what main has returned */
extern handler __clew_destructor(int);                /* the destructors of the program, in order; then null */
extern _Noreturn void __clew_end(int code, int returned);

struct __clew_entry {
    handler plain;
    status_handler with_status;
    void *argument;
};

static struct __clew_entry __clew_handlers[LIMIT];
static int __clew_handler_count;
static handler __clew_quick[LIMIT];
static int __clew_quick_count;
static int __clew_destroyed;

int atexit(handler function)
{
    if (__clew_handler_count == LIMIT)
        return -1;
    __clew_handlers[__clew_handler_count].plain = function;
    __clew_handler_count++;
    return 0;
}

int on_exit(status_handler function, void *argument)
{
    if (__clew_handler_count == LIMIT)
        return -1;
    __clew_handlers[__clew_handler_count].plain = 0;
    __clew_handlers[__clew_handler_count].with_status = function;
    __clew_handlers[__clew_handler_count].argument = argument;
    __clew_handler_count++;
    return 0;
}

int at_quick_exit(handler function)
{
    if (__clew_quick_count == LIMIT)
        return -1;
    __clew_quick[__clew_quick_count++] = function;
    return 0;
}

/* A handler may register more, which run next, and may call exit, which goes on with the rest. */
static void __clew_run_handlers(int code)
{
    while (__clew_handler_count > 0) {
        struct __clew_entry *entry = &__clew_handlers[--__clew_handler_count];
        if (entry->plain)
            entry->plain();
        else
            entry->with_status(code, entry->argument);
    }
    handler destructor;
    while ((destructor = __clew_destructor(__clew_destroyed++)))
        destructor();
}

_Noreturn void exit(int code)
{
    __clew_run_handlers(code);
    __clew_end(code, 0);
}

_Noreturn void quick_exit(int code)
{
    while (__clew_quick_count > 0)
        __clew_quick[--__clew_quick_count]();
    __clew_end(code, 0);
}

void __clew_finish(void)
{
    int code = __clew_result();
    __clew_run_handlers(code);
    __clew_end(code, 1);
}
