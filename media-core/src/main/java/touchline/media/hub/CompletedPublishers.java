package touchline.media.hub;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import touchline.media.StreamId;

/**
 * Encoders whose session a client completed. An encoder reconnects within seconds, which would
 * start another session. So it waits, while any other encoder may publish at once. Any thread.
 */
final class CompletedPublishers {
    private record Held(Set<String> encoders, long untilNs) {}

    private final LongSupplier nanoTime;
    private final ConcurrentHashMap<StreamId, Held> held = new ConcurrentHashMap<>();

    CompletedPublishers(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /**
     * @param encoders of {@link PublishRequest#encoder}
     */
    void hold(StreamId stream, Set<String> encoders, Duration time) {
        long nowNs = nanoTime.getAsLong();
        held.values().removeIf(each -> each.untilNs - nowNs <= 0);
        held.put(stream, new Held(encoders, nowNs + time.toNanos()));
    }

    void release(StreamId stream) {
        held.remove(stream);
    }

    /**
     * @throws PublisherHeldException while this encoder has to wait
     */
    void requireFree(PublishRequest request) {
        Held last = held.get(request.stream());
        if (last == null || request.role() != Role.MAIN) {
            return;
        }
        long leftNs = last.untilNs - nanoTime.getAsLong();
        if (leftNs > 0 && last.encoders.contains(request.encoder())) {
            throw new PublisherHeldException(request.stream(), Duration.ofNanos(leftNs));
        }
    }
}
