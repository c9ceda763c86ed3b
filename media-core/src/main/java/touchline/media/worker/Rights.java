package touchline.media.worker;

import java.io.IOException;

/**
 * Capabilities of the calling thread, and of what it executes (capabilities(7)). They only shrink.
 */
final class Rights {
    private static final int SYS_CAPSET = 126;
    private static final int SYS_PRCTL = 157;
    private static final long CAPBSET_DROP = 24;
    private static final long SET_NO_NEW_PRIVS = 38;
    private static final long CAP_AMBIENT = 47;
    private static final long CAP_AMBIENT_CLEAR_ALL = 4;
    private static final int CAPABILITIES = 64;
    private static final int CAPABILITY_VERSION = 0x2008_0522;

    private final Syscalls kernel;

    Rights(Syscalls kernel) {
        this.kernel = kernel;
    }

    /** What is executed from now on cannot have more capabilities than the thread has. */
    void bound() {
        long _ = kernel.attempt(SYS_PRCTL, CAP_AMBIENT, CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
        for (int each = 0; each < CAPABILITIES; each++) {
            // Fails for numbers that the kernel does not know, and for a plain user.
            long _ = kernel.attempt(SYS_PRCTL, CAPBSET_DROP, each, 0, 0, 0);
        }
    }

    /** No capability is left. */
    void drop() throws IOException {
        kernel.call(
                "capabilities",
                SYS_CAPSET,
                kernel.words(CAPABILITY_VERSION),
                kernel.words(0, 0, 0));
    }

    /** No program that is executed gains rights, not by setuid either. */
    void neverGain() throws IOException {
        kernel.call("no_new_privs", SYS_PRCTL, SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    }

    /** All three. */
    void dropForGood() throws IOException {
        bound();
        drop();
        neverGain();
    }
}
