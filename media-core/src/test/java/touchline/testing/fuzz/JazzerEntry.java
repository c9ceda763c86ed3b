package touchline.testing.fuzz;

import org.jspecify.annotations.Nullable;

/** What Jazzer calls in a process of its own: one target, many inputs. */
public final class JazzerEntry {
    private static @Nullable FuzzTarget target;

    private JazzerEntry() {}

    /**
     * Called once.
     *
     * @param args the target's name
     */
    public static void fuzzerInitialize(String[] args) {
        target = FuzzTargets.named(args[0]);
    }

    /** Called for each input. */
    public static void fuzzerTestOneInput(byte[] input) throws Exception {
        FuzzTarget chosen = target;
        if (chosen == null) {
            throw new IllegalStateException("no target");
        }
        FuzzCheck.check(chosen, input);
    }
}
