package touchline.media.worker;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * System calls that a worker never needs, denied by seccomp: sockets, links and special files,
 * owners and modes of files, other processes, mounts, and namespaces. One thread, used once.
 */
final class SyscallFilter {
    private static final int SYS_GETPID = 39;
    private static final int SYS_CLONE = 56;
    private static final int SYS_KILL = 62;
    private static final int SYS_TGKILL = 234;
    private static final int SYS_PRLIMIT64 = 302;
    private static final int SYS_SECCOMP = 317;
    private static final int SYS_CLONE3 = 435;
    private static final long SET_FILTER = 1;

    /** All flags of clone(2) that make namespaces. */
    private static final int NAMESPACES = 0x7E02_0080;

    private static final int X86_64 = 0xC000_003E;
    private static final int X32 = 0x4000_0000;

    private static final short LOAD = 0x20;
    private static final short IF_EQUAL = 0x15;
    private static final short IF_AT_LEAST = 0x35;
    private static final short IF_ANY_BIT = 0x45;
    private static final short RETURN = 0x06;
    private static final int ALLOW = 0x7FFF_0000;
    private static final int KILL = 0x8000_0000;
    private static final int EPERM = 0x0005_0001;
    private static final int NOT_THERE = 0x0005_0000 | Syscalls.ENOSYS;
    private static final int NUMBER = 0;
    private static final int MACHINE = 4;
    private static final int FIRST_ARGUMENT = 16;

    private static final int[] DENIED = {
        // socket, connect, accept, bind, listen, accept4
        41,
        42,
        43,
        49,
        50,
        288,
        // link, symlink, mknod; linkat, symlinkat, mknodat
        86,
        88,
        133,
        265,
        266,
        259,
        // chmod, fchmod, fchmodat, fchmodat2; chown, fchown, lchown, fchownat
        90,
        91,
        268,
        452,
        92,
        93,
        94,
        260,
        // utime, utimes, futimesat, utimensat
        132,
        235,
        261,
        280,
        // setxattr, lsetxattr, fsetxattr, removexattr, lremovexattr, fremovexattr, setxattrat,
        // removexattrat
        188,
        189,
        190,
        197,
        198,
        199,
        463,
        466,
        // ptrace, process_vm_readv, process_vm_writev, kcmp, process_madvise
        101,
        310,
        311,
        312,
        440,
        // pidfd_send_signal, pidfd_open, pidfd_getfd, tkill, rt_sigqueueinfo, rt_tgsigqueueinfo
        424,
        434,
        438,
        200,
        129,
        297,
        // setpriority, sched_setparam, sched_setscheduler, sched_setaffinity, sched_setattr,
        // ioprio_set, migrate_pages, move_pages
        141,
        142,
        144,
        203,
        314,
        251,
        256,
        279,
        // shmget, semget, msgget, mq_open
        29,
        64,
        68,
        240,
        // mount, umount2, pivot_root, chroot, open_tree, move_mount, fsopen, fsconfig, fsmount,
        // fspick, mount_setattr, open_tree_attr
        165,
        166,
        155,
        161,
        428,
        429,
        430,
        431,
        432,
        433,
        442,
        467,
        // unshare, setns
        272,
        308,
        // name_to_handle_at, open_by_handle_at, quotactl, acct, swapon, swapoff, reboot
        303,
        304,
        179,
        163,
        167,
        168,
        169,
        // init_module, delete_module, finit_module, kexec_load, kexec_file_load, bpf
        175,
        176,
        313,
        246,
        320,
        321,
        // perf_event_open, userfaultfd, io_uring_setup, io_uring_enter, io_uring_register
        298,
        323,
        425,
        426,
        427,
        // add_key, request_key, keyctl, syslog, settimeofday, adjtimex, clock_settime,
        // clock_adjtime
        248,
        249,
        250,
        103,
        164,
        159,
        227,
        305,
        // iopl, ioperm, modify_ldt, personality
        172,
        173,
        154,
        135
    };

    private final Syscalls kernel;
    private final ByteBuffer program = ByteBuffer.allocate(4_096).order(ByteOrder.LITTLE_ENDIAN);

    SyscallFilter(Syscalls kernel) {
        this.kernel = kernel;
    }

    /** Requires no_new_privs. */
    void install() throws IOException {
        byte[] filter = filter((int) kernel.attempt(SYS_GETPID));
        // struct sock_fprog: the number of instructions, padding, their address
        long fprog = kernel.words(filter.length / Long.BYTES, kernel.bytes(filter));
        kernel.call("seccomp", SYS_SECCOMP, SET_FILTER, 0, fprog);
    }

    private byte[] filter(int ownProcess) {
        add(LOAD, MACHINE);
        add(IF_EQUAL, X86_64, 1, 0);
        add(RETURN, KILL);
        add(LOAD, NUMBER);
        add(IF_AT_LEAST, X32, 0, 1);
        add(RETURN, EPERM);
        for (int number : DENIED) {
            add(IF_EQUAL, number, 0, 1);
            add(RETURN, EPERM);
        }
        // glibc then calls clone, whose flags are visible.
        add(IF_EQUAL, SYS_CLONE3, 0, 1);
        add(RETURN, NOT_THERE);
        onlyFor(SYS_KILL, ownProcess);
        onlyFor(SYS_TGKILL, ownProcess);
        onlyFor(SYS_PRLIMIT64, 0);
        add(IF_EQUAL, SYS_CLONE, 0, 3);
        add(LOAD, FIRST_ARGUMENT);
        add(IF_ANY_BIT, NAMESPACES, 0, 1);
        add(RETURN, EPERM);
        add(RETURN, ALLOW);
        byte[] bytes = new byte[program.position()];
        program.flip().get(bytes);
        return bytes;
    }

    private void onlyFor(int number, int argument) {
        add(IF_EQUAL, number, 0, 4);
        add(LOAD, FIRST_ARGUMENT);
        add(IF_EQUAL, argument, 1, 0);
        add(RETURN, EPERM);
        add(RETURN, ALLOW);
    }

    private void add(short code, int value) {
        add(code, value, 0, 0);
    }

    /**
     * @param yes instructions to skip
     * @param no instructions to skip
     */
    private void add(short code, int value, int yes, int no) {
        program.putShort(code).put((byte) yes).put((byte) no).putInt(value);
    }
}
