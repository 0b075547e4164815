/* stdlib.h and search.h: sorting and searching with the program's own comparison.

   A stable merge sort with the comparisons in the order that glibc makes them, so that a native run of a
   test goes the same way. Static names begin with __clew_: a program's own cannot clash with them. */

typedef __SIZE_TYPE__ size_t;
typedef int (*comparison)(const void *, const void *);
typedef int (*comparison_with)(const void *, const void *, void *);

struct __clew_order {
    comparison plain;
    comparison_with with;
    void *argument;
};

static int __clew_compare(const struct __clew_order *order, const void *a, const void *b)
{
    return order->plain ? order->plain(a, b) : order->with(a, b, order->argument);
}

static void __clew_merge(char *base, size_t count, size_t size, char *scratch, const struct __clew_order *order)
{
    if (count <= 1)
        return;
    size_t left = count / 2, right = count - left;
    char *a = base, *b = base + left * size, *out = scratch;
    __clew_merge(a, left, size, scratch, order);
    __clew_merge(b, right, size, scratch, order);
    while (left > 0 && right > 0) {
        if (__clew_compare(order, a, b) <= 0) {
            __builtin_memcpy(out, a, size);
            a += size;
            left--;
        } else {
            __builtin_memcpy(out, b, size);
            b += size;
            right--;
        }
        out += size;
    }
    if (left > 0)
        __builtin_memcpy(out, a, left * size);
    /* What is left on the right is in its place already. */
    __builtin_memcpy(base, scratch, (count - right) * size);
}

static void __clew_sort(void *base, size_t count, size_t size, const struct __clew_order *order)
{
    if (count > 1 && size > 0)
        __clew_merge(base, count, size, __builtin_alloca(count * size), order);
}

void qsort(void *base, size_t count, size_t size, comparison compare)
{
    struct __clew_order order = {compare, 0, 0};
    __clew_sort(base, count, size, &order);
}

void qsort_r(void *base, size_t count, size_t size, comparison_with compare, void *argument)
{
    struct __clew_order order = {0, compare, argument};
    __clew_sort(base, count, size, &order);
}

void *bsearch(const void *key, const void *base, size_t count, size_t size, comparison compare)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        const char *element = (const char *)base + middle * size;
        int order = compare(key, element);
        if (order < 0)
            high = middle;
        else if (order > 0)
            low = middle + 1;
        else
            return (void *)element;
    }
    return 0;
}

void *lfind(const void *key, const void *base, size_t *count, size_t size, comparison compare)
{
    const char *element = base;
    for (size_t index = 0; index < *count; index++, element += size)
        if (compare(key, element) == 0)
            return (void *)element;
    return 0;
}

void *lsearch(const void *key, void *base, size_t *count, size_t size, comparison compare)
{
    void *found = lfind(key, base, count, size, compare);
    if (found)
        return found;
    found = (char *)base + *count * size;
    __builtin_memcpy(found, key, size);
    ++*count;
    return found;
}
