package touchline.testing.fuzz;

import java.util.Base64;
import java.util.List;
import java.util.SplittableRandom;

/** What the suite runs of a target: its seeds, its stored inputs and some generated inputs. */
public final class ShortFuzzRun {
    private static final int GENERATED = 4_000;

    private ShortFuzzRun() {}

    /**
     * Runs the target. Always the same inputs.
     *
     * @throws AssertionError with the input in base64
     */
    public static void of(FuzzTarget target) {
        List<byte[]> inputs = FuzzTargets.inputs(target);
        inputs.forEach(input -> check(target, input));
        InputMutator mutator =
                new InputMutator(
                        inputs, new SplittableRandom(target.name().hashCode()), target.maxBytes());
        for (int i = 0; i < GENERATED; i++) {
            check(target, mutator.next());
        }
    }

    private static void check(FuzzTarget target, byte[] input) {
        try {
            FuzzCheck.check(target, input);
        } catch (Throwable finding) {
            throw new AssertionError(
                    "fuzz target %s, input in base64: %s"
                            .formatted(target.name(), Base64.getEncoder().encodeToString(input)),
                    finding);
        }
    }
}
