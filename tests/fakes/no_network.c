/* Preloaded into a program: whatever would leave this computer is written down and refused. Linux and the like. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static void note(const char *what, const char *where)
{
    const char *path = getenv("LC_WATCH_NETWORK");
    int file = path ? open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600) : -1;
    if (file >= 0) {
        dprintf(file, "%d %s %s\n", (int)getpid(), what, where);
        close(file);
    }
}

/* Whether an address is on this computer; its text goes to shown. */
static int is_here(const struct sockaddr *address, socklen_t size, char *shown, socklen_t room)
{
    shown[0] = 0;
    if (!address || size < sizeof(sa_family_t))
        return 1;
    if (address->sa_family == AF_INET && size >= sizeof(struct sockaddr_in)) {
        const struct in_addr *ip = &((const struct sockaddr_in *)address)->sin_addr;
        inet_ntop(AF_INET, ip, shown, room);
        return (ntohl(ip->s_addr) >> 24) == 127;
    }
    if (address->sa_family == AF_INET6 && size >= sizeof(struct sockaddr_in6)) {
        const struct in6_addr *ip = &((const struct sockaddr_in6 *)address)->sin6_addr;
        inet_ntop(AF_INET6, ip, shown, room);
        return IN6_IS_ADDR_LOOPBACK(ip) || (IN6_IS_ADDR_V4MAPPED(ip) && ip->s6_addr[12] == 127);
    }
    return 1;
}

static int refused(const char *what, const struct sockaddr *address, socklen_t size)
{
    char shown[64];
    if (is_here(address, size, shown, sizeof shown))
        return 0;
    note(what, shown);
    errno = ENETUNREACH;
    return 1;
}

static int name_refused(const char *what, const char *name)
{
    unsigned char ip[16];
    if (!name || !*name || !strcmp(name, "localhost") || inet_pton(AF_INET, name, ip) == 1 ||
        inet_pton(AF_INET6, name, ip) == 1)
        return 0;
    note(what, name);
    return 1;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

int connect(int fd, const struct sockaddr *address, socklen_t size)
{
    return refused("connect", address, size) ? -1 : REAL(connect)(fd, address, size);
}

ssize_t sendto(int fd, const void *data, size_t n, int flags, const struct sockaddr *address, socklen_t size)
{
    return refused("sendto", address, size) ? -1 : REAL(sendto)(fd, data, n, flags, address, size);
}

ssize_t sendmsg(int fd, const struct msghdr *message, int flags)
{
    if (message && refused("sendmsg", message->msg_name, message->msg_namelen))
        return -1;
    return REAL(sendmsg)(fd, message, flags);
}

int listen(int fd, int backlog)
{
    struct sockaddr_storage own;
    socklen_t size = sizeof own;
    if (getsockname(fd, (struct sockaddr *)&own, &size) == 0 && own.ss_family != AF_UNIX)
        note("listen", "a port");
    return REAL(listen)(fd, backlog);
}

int getaddrinfo(const char *name, const char *service, const struct addrinfo *hints, struct addrinfo **found)
{
    return name_refused("getaddrinfo", name) ? EAI_AGAIN : REAL(getaddrinfo)(name, service, hints, found);
}

struct hostent *gethostbyname(const char *name)
{
    return name_refused("gethostbyname", name) ? NULL : REAL(gethostbyname)(name);
}

struct hostent *gethostbyname2(const char *name, int family)
{
    return name_refused("gethostbyname2", name) ? NULL : REAL(gethostbyname2)(name, family);
}
