"""What code in a chat may try to get out of its confinement: each attempt raises, or is stopped.

The names in capitals are set before; ``call`` makes a system call of x86-64 by its number.
"""

PRELUDE = """
import ctypes, errno, mmap, os, resource, shutil, signal, socket, subprocess, sys, threading, time
_libc = ctypes.CDLL(None, use_errno=True)
_libc.syscall.restype = ctypes.c_long
def call(number, *values):
    result = _libc.syscall(ctypes.c_long(number), *values)
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result
def text(path):
    with open(path) as file:
        return file.read()
def must(is_out, what="nothing came of it"):
    if not is_out:
        raise OSError(what)
    print("OUT")
"""

FILES = {
    "read a file": "print(text(SECRET))",
    "read it by a link": "os.symlink(SECRET, 'link'); print(text('link'))",
    "read it by a hard link": "os.link(SECRET, 'hard'); print(text('hard'))",
    "read it by dots": "print(text('../' * 20 + SECRET))",
    "read it by the root of the first process": "print(text('/proc/1/root' + SECRET))",
    "read it by its folder": "os.chdir('/proc/1/cwd'); print(os.listdir())",
    "read the descriptors of the first process": "print([os.readlink(f'/proc/1/fd/{n}') for n in range(9)])",
    "see that a file exists": "os.stat(SECRET); print('OUT')",
    "list its folder": "print(os.listdir(os.path.dirname(SECRET)))",
    "list the home folder": "print(os.listdir(HOME)); print('OUT')",
    "read who has accounts": "print(text('/etc/passwd')); print('OUT')",
    "write a file": "open(OUTSIDE + '/a', 'w').write('x')",
    "write over a file": "open(SECRET, 'w').write('x')",
    "cut a file": "os.truncate(SECRET, 0)",
    "delete a file": "os.unlink(SECRET)",
    "rename a file": "os.rename(SECRET, 'mine')",
    "change a mode": "os.chmod(SECRET, 0o777)",
    "change an owner": "os.chown(SECRET, 1, 1)",
    "change times": "os.utime(SECRET, (0, 0))",
    "set an attribute": "os.setxattr(SECRET, 'user.x', b'x')",
    "write to the interpreter": "open(sys.executable, 'ab'); print('OUT')",
    "change a mode of the system": "os.chmod('/usr/bin/env', os.stat('/usr/bin/env').st_mode); print('OUT')",
    "watch a folder": "must(call(254, call(294, 0), OUTSIDE.encode(), 0xfff) >= 0)",
    "write to shared memory": "open('/dev/shm/escape', 'w').write('x')",
    "name shared memory": "import multiprocessing.shared_memory as m; m.SharedMemory('escape', True, 9)",
    "write to the temporary folder": "open('/tmp/escape', 'w').write('x')",
    "open a file by its handle": "call(303, -100, b'/', bytes(200), bytes(8), 0)",
    "make a device": "os.mknod('disk', 0o60600, os.makedev(254, 0)); open('disk')",
    "reach a terminal": "os.open('/dev/tty', os.O_RDWR)",
    "write kernel settings": "open('/proc/sys/kernel/core_pattern', 'w'); print('OUT')",
    "write to the first process": "open('/proc/1/mem', 'r+b').write(b'x')",
    "read its environment": "print(open('/proc/1/environ').read()); print('OUT')",
    "preload a library": "os.environ['LD_PRELOAD'] = 'x.so'; subprocess.run(['/usr/bin/env'], check=True)",
}
OTHERS = {
    "connect by TCP": "socket.create_connection(('127.0.0.1', PORT), 2)",
    "send by UDP": "socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', PORT))",
    "connect by IPv6": "socket.socket(socket.AF_INET6).connect(('::1', PORT))",
    "connect to a socket": "socket.socket(socket.AF_UNIX).connect(UNIX)",
    "connect to an abstract socket": "socket.socket(socket.AF_UNIX).connect('\\0' + ABSTRACT)",
    "open a raw socket": "socket.socket(socket.AF_PACKET, socket.SOCK_RAW)",
    "ask the kernel by netlink": "socket.socket(socket.AF_NETLINK, socket.SOCK_RAW)",
    "open a socket of virtual machines": "socket.socket(40, socket.SOCK_STREAM)",
    "resolve a name": "socket.getaddrinfo('example.org', 80)",
    "use io_uring": "call(425, 8, ctypes.create_string_buffer(120))",
    "signal another process": "os.kill(VICTIM, signal.SIGTERM)",
    "signal all processes": "os.kill(-1, 0); print('OUT')",
    "signal the group": "os.kill(0, 0); print('OUT')",
    "signal by a descriptor": "signal.pidfd_send_signal(os.pidfd_open(VICTIM), signal.SIGTERM)",
    "trace another process": "call(101, 16, VICTIM, 0, 0)",
    "trace the parent": "call(101, 16, os.getppid(), 0, 0)",
    "read another's memory": "call(310, VICTIM, None, 0, None, 0, 0)",
    "limit another process": "resource.prlimit(VICTIM, resource.RLIMIT_CPU, (1, 1))",
    "slow another process": "os.setpriority(os.PRIO_PROCESS, VICTIM, 19)",
    "pin another process": "os.sched_setaffinity(VICTIM, {0})",
    "see another process": "print(text(f'/proc/{VICTIM}/cmdline')); print('OUT')",
    "use the keyrings": "call(248, b'user', b'escape', b'x', 1, -4)",
    "share memory of System V": "call(29, KEY, 4096, 0o1666)",
    "make a message queue": "call(240, b'escape', 0o102, 0o600, None)",
    "make a user namespace": "call(272, 0x10000000)",
    "enter another's namespace": "call(308, 3, 0)",
    "mount": "call(165, b'tmpfs', b'.', b'tmpfs', 0, None)",
    "mount anew": "call(430, b'tmpfs', 0)",
    "change the root": "os.chroot('.')",
    "set the host name": "socket.sethostname(socket.gethostname()); print('OUT')",
    "load a program into the kernel": "call(321, 5, ctypes.create_string_buffer(120), 120)",
    "measure the kernel": "call(298, ctypes.create_string_buffer(120), 0, -1, -1, 0)",
    "handle page faults": "call(323, 0)",
    "become another user": "os.setuid(12345); must(os.getuid() == 12345)",
    "use an inherited descriptor": (
        "found = [f'/proc/self/fd/{n}' for n in range(300) if os.path.exists(f'/proc/self/fd/{n}')]\n"
        "known = ('pipe:', 'anon_inode:', '/dev/null')\n"
        "must([link for link in map(os.readlink, found) if not link.startswith(known)])"
    ),
}
LIMITS = {
    "fork": "os.fork()",
    "fork by a system call": "call(56, 17, 0, 0, 0, 0)",
    "fork by clone3": "call(435, ctypes.create_string_buffer(88), 88)",
    "start a program": "subprocess.run(['/usr/bin/env'])",
    "start many": "import multiprocessing as m; [m.Process(target=print).start() for _ in range(9)]",
    "start threads without end": (
        "stop = threading.Event(); started = []\n"
        "try:\n    while len(started) < 20_000:\n"
        "        started.append(threading.Thread(target=stop.wait, daemon=True))\n"
        "        started[-1].start()\nfinally:\n    stop.set()"
    ),
    "take memory": "kept = [bytearray(64 << 20) for _ in range(99)]",
    "map memory": "mmap.mmap(-1, 9 << 30)",
    "raise a limit": "resource.setrlimit(resource.RLIMIT_AS, (9 << 40, 9 << 40))",
    "fill the disk": (
        "import itertools\n"
        "try:\n    for n in itertools.count():\n        open(f'fill{n}', 'wb').write(bytes(32 << 20))\n"
        "finally:\n    [os.unlink(name) for name in os.listdir() if name.startswith('fill')]"
    ),
    "make files without end": (
        "try:\n    for n in range(99_999):\n        open(f'.n{n}', 'w').close()\n"
        "finally:\n    [os.unlink(name) for name in os.listdir() if name.startswith('.n')]"
    ),
    "open files without end": "kept = [open('/dev/null') for _ in range(9999)]",
    "run without end": "while True: pass",
    "sleep without end": "time.sleep(10**6)",
    "not be interrupted": "while True:\n    try:\n        time.sleep(9)\n    except BaseException: pass",
    "print without end": "while True: print('x' * 10_000)",
}
ATTEMPTS = {**FILES, **OTHERS, **LIMITS}
STOPPED = ("run without end", "sleep without end", "not be interrupted", "print without end")
"""What only the time, or the length of the output, ends."""
