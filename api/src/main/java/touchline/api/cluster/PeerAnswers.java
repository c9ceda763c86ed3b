package touchline.api.cluster;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import touchline.api.domain.ViewerCounts;

/**
 * What the other nodes say of themselves: asked of them when somewhere it is shown, and kept for a
 * moment. Nodes that do not answer are left out. Calls block for half a second at most; any thread.
 */
public final class PeerAnswers<T> implements Supplier<T> {
    private static final Duration VIEWERS = Duration.ofSeconds(1);

    /** Samples are taken each second. */
    private static final Duration SIGNALS = Duration.ofMillis(500);

    private static final Duration PATIENCE = Duration.ofMillis(500);

    private final Supplier<T> ask;
    private final long keptNs;
    private final LongSupplier nanoTime;

    /** Null before the first answer. */
    @GuardedBy("this")
    private @Nullable T newest;

    @GuardedBy("this")
    private long askedNs;

    PeerAnswers(Supplier<T> ask, Duration kept, LongSupplier nanoTime) {
        this.ask = ask;
        this.keptNs = kept.toNanos();
        this.nanoTime = nanoTime;
    }

    /** The viewers that they serve, together. */
    public static PeerAnswers<ViewerCounts> viewers(NodeClient client, NodeDirectory directory) {
        return new PeerAnswers<>(
                () -> client.viewers(directory.others(), PATIENCE), VIEWERS, System::nanoTime);
    }

    /** The newest samples of signals that they watch, as the API shows them. */
    public static PeerAnswers<List<ObjectNode>> signals(
            NodeClient client, NodeDirectory directory) {
        return new PeerAnswers<>(
                () -> client.signals(directory.others(), PATIENCE), SIGNALS, System::nanoTime);
    }

    @Override
    public synchronized T get() {
        T known = newest;
        if (known != null && nanoTime.getAsLong() - askedNs < keptNs) {
            return known;
        }
        T answer = ask.get();
        newest = answer;
        askedNs = nanoTime.getAsLong();
        return answer;
    }
}
