/* A stand-in for dxgi.dll: a factory with one card and one software renderer. Counts its references. */

#include <stdint.h>
#include <string.h>

typedef struct {
    uint16_t name[128];
    uint32_t vendor, device, subsystem, revision;
    size_t video, system, shared;
    uint32_t low;
    int32_t high;
    uint32_t flags;
} Description;
typedef struct { uint64_t budget, used, reservable, reserved; } VideoMemory;
typedef struct { void **table; int is_software; } Object;

static const uint8_t FACTORY1[16] = {0x78, 0xae, 0x0a, 0x77, 0x6f, 0xf2, 0xba, 0x4d,
                                     0xa8, 0x29, 0x25, 0x3c, 0x83, 0xd1, 0xb3, 0x87};
static const uint8_t ADAPTER3[16] = {0xa4, 0x67, 0x59, 0x64, 0x92, 0x13, 0x10, 0x43,
                                     0xa7, 0x98, 0x80, 0x53, 0xce, 0x3e, 0x93, 0xfd};
static int n_references = 0;
static void *factory_table[13], *adapter_table[15];
static Object factory = {factory_table, 0};
static Object adapters[2] = {{adapter_table, 0}, {adapter_table, 1}};

static int release(Object *object) {
    (void)object;
    return --n_references;
}

static int query(Object *object, const uint8_t *id, void **found) {
    if (memcmp(id, ADAPTER3, 16)) return (int)0x80004002;
    n_references++;
    *found = object;
    return 0;
}

static int enumerate(Object *object, uint32_t index, void **found) {
    (void)object;
    if (index >= 2) return (int)0x887a0002;
    n_references++;
    *found = &adapters[index];
    return 0;
}

static int describe(Object *object, Description *description) {
    const char *name = "Radeon RX 7600";
    memset(description, 0, sizeof *description);
    for (size_t i = 0; name[i]; i++) description->name[i] = name[i];
    description->video = 8000;
    description->flags = object->is_software ? 2 : 0;
    return 0;
}

static int video_memory(Object *object, uint32_t node, uint32_t group, VideoMemory *memory) {
    (void)object;
    if (node || group) return (int)0x80070057;
    memory->budget = 7000;
    memory->used = 500;
    return 0;
}

int CreateDXGIFactory1(const uint8_t *id, void **found) {
    if (memcmp(id, FACTORY1, 16)) return (int)0x80004002;
    factory_table[2] = adapter_table[2] = release;
    factory_table[12] = enumerate;
    adapter_table[0] = query;
    adapter_table[10] = describe;
    adapter_table[14] = video_memory;
    n_references++;
    *found = &factory;
    return 0;
}

int references(void) { return n_references; }
