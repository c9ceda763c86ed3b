package touchline.testing;

import java.util.Optional;

/** Threads that run. */
public final class Threads {
    private Threads() {}

    /** One with this name. */
    public static Optional<Thread> named(String name) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals(name))
                .findAny();
    }
}
