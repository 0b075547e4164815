/* search.h: binary trees (not balanced: the functions promise an order, no shape) and linked queues. */

typedef __SIZE_TYPE__ size_t;
typedef int (*comparison)(const void *, const void *);
typedef enum { preorder, postorder, endorder, leaf } visit;

extern void *malloc(size_t);
extern void free(void *);

struct __clew_node {
    const void *key;
    struct __clew_node *left, *right;
};

/* The pointer that leads, or would lead, to the node with the key; its parent goes to where parent points. */
static struct __clew_node **__clew_place(const void *key, struct __clew_node **from, comparison compare,
                                         struct __clew_node **parent)
{
    while (*from) {
        int order = compare(key, (*from)->key);
        if (order == 0)
            break;
        if (parent)
            *parent = *from;
        from = order < 0 ? &(*from)->left : &(*from)->right;
    }
    return from;
}

void *tsearch(const void *key, void **root, comparison compare)
{
    if (!root)
        return 0;
    struct __clew_node **place = __clew_place(key, (struct __clew_node **)root, compare, 0);
    if (!*place) {
        struct __clew_node *fresh = malloc(sizeof *fresh);
        if (!fresh)
            return 0;
        fresh->key = key;
        fresh->left = fresh->right = 0;
        *place = fresh;
    }
    return *place;
}

void *tfind(const void *key, void *const *root, comparison compare)
{
    return root ? *__clew_place(key, (struct __clew_node **)root, compare, 0) : 0;
}

void *tdelete(const void *key, void **root, comparison compare)
{
    if (!root)
        return 0;
    struct __clew_node *parent = 0;
    struct __clew_node **place = __clew_place(key, (struct __clew_node **)root, compare, &parent);
    struct __clew_node *gone = *place;
    if (!gone)
        return 0;
    if (gone->left && gone->right) {
        struct __clew_node **next = &gone->right;
        while ((*next)->left)
            next = &(*next)->left;
        struct __clew_node *successor = *next;
        *next = successor->right;
        successor->left = gone->left;
        successor->right = gone->right;
        *place = successor;
    } else {
        *place = gone->left ? gone->left : gone->right;
    }
    free(gone);
    /* The parent's node; when the root goes there is none, and any pointer that is not null will do. */
    return parent ? (void *)parent : (void *)root;
}

static void __clew_walk(const struct __clew_node *node, void (*action)(const void *, visit, int), int level)
{
    if (!node->left && !node->right) {
        action(node, leaf, level);
        return;
    }
    action(node, preorder, level);
    if (node->left)
        __clew_walk(node->left, action, level + 1);
    action(node, postorder, level);
    if (node->right)
        __clew_walk(node->right, action, level + 1);
    action(node, endorder, level);
}

void twalk(const void *root, void (*action)(const void *, visit, int))
{
    if (root && action)
        __clew_walk(root, action, 0);
}

void tdestroy(void *root, void (*release)(void *))
{
    struct __clew_node *node = root;
    if (!node)
        return;
    tdestroy(node->left, release);
    tdestroy(node->right, release);
    release((void *)node->key);
    free(node);
}

struct __clew_link {
    struct __clew_link *next, *previous;
};

void insque(void *element, void *after)
{
    struct __clew_link *fresh = element, *before = after;
    fresh->previous = before;
    fresh->next = before ? before->next : 0;
    if (before) {
        if (before->next)
            before->next->previous = fresh;
        before->next = fresh;
    }
}

void remque(void *element)
{
    struct __clew_link *gone = element;
    if (gone->next)
        gone->next->previous = gone->previous;
    if (gone->previous)
        gone->previous->next = gone->next;
}
