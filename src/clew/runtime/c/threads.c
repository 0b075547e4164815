/* pthread.h in a program with one thread: locks are free, what is done once is done, keys have one value each. */

#include <errno.h>
#include <pthread.h>

enum { KEYS = 128 };
static const void *__clew_values[KEYS];
static int __clew_keys;

#define FINE(name, parameters) int name parameters { return 0; }
FINE(pthread_mutex_init, (pthread_mutex_t *m, const pthread_mutexattr_t *a))
FINE(pthread_mutex_destroy, (pthread_mutex_t *m))
FINE(pthread_mutex_lock, (pthread_mutex_t *m))
FINE(pthread_mutex_trylock, (pthread_mutex_t *m))
FINE(pthread_mutex_unlock, (pthread_mutex_t *m))
FINE(pthread_mutexattr_init, (pthread_mutexattr_t *a))
FINE(pthread_mutexattr_destroy, (pthread_mutexattr_t *a))
FINE(pthread_mutexattr_settype, (pthread_mutexattr_t *a, int type))
FINE(pthread_rwlock_init, (pthread_rwlock_t *l, const pthread_rwlockattr_t *a))
FINE(pthread_rwlock_destroy, (pthread_rwlock_t *l))
FINE(pthread_rwlock_rdlock, (pthread_rwlock_t *l))
FINE(pthread_rwlock_wrlock, (pthread_rwlock_t *l))
FINE(pthread_rwlock_unlock, (pthread_rwlock_t *l))
FINE(pthread_cond_init, (pthread_cond_t *c, const pthread_condattr_t *a))
FINE(pthread_cond_destroy, (pthread_cond_t *c))
FINE(pthread_cond_signal, (pthread_cond_t *c))
FINE(pthread_cond_broadcast, (pthread_cond_t *c))
FINE(pthread_attr_init, (pthread_attr_t *a))
FINE(pthread_attr_destroy, (pthread_attr_t *a))
FINE(pthread_attr_setdetachstate, (pthread_attr_t *a, int state))
FINE(pthread_attr_setstacksize, (pthread_attr_t *a, size_t size))
FINE(pthread_setcancelstate, (int state, int *old))

pthread_t pthread_self(void) { return (pthread_t)1; }
int pthread_equal(pthread_t a, pthread_t b) { return a == b; }

int pthread_once(pthread_once_t *control, void (*function)(void))
{
    if (!*(int *)control) {
        *(int *)control = 1;
        function();
    }
    return 0;
}

int pthread_key_create(pthread_key_t *key, void (*destructor)(void *))
{
    if (__clew_keys == KEYS)
        return EAGAIN;
    *key = __clew_keys++;
    return 0;
}

int pthread_key_delete(pthread_key_t key) { return key < (pthread_key_t)__clew_keys ? 0 : EINVAL; }

int pthread_setspecific(pthread_key_t key, const void *value)
{
    if (key >= (pthread_key_t)__clew_keys)
        return EINVAL;
    __clew_values[key] = value;
    return 0;
}

void *pthread_getspecific(pthread_key_t key)
{
    return key < (pthread_key_t)__clew_keys ? (void *)__clew_values[key] : 0;
}
