package touchline.api.host;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.api.maintenance.PeriodicTask;
import touchline.media.store.DiskSpace;

/**
 * Measures the host every few seconds on a virtual thread of its own; cards less often. {@link
 * #facts} returns the newest measurement and never blocks. Any thread.
 */
public final class HostWatch implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(HostWatch.class);

    private static final Duration EVERY = Duration.ofSeconds(5);

    /** A program is started for the cards. */
    private static final Duration CARDS_EVERY = Duration.ofSeconds(30);

    /**
     * What is asked, at each measurement.
     *
     * @param space of the data folder's disk; may block
     * @param leastFree where recording stops
     * @param mediaBytes of packaged media
     * @param cards may block for seconds; asked less often
     * @param encoders empty until they are tested
     * @param work what encodes now
     * @param certificate may read a file
     */
    public record Sources(
            Space space,
            Supplier<DiskSpace.Least> leastFree,
            LongSupplier mediaBytes,
            Supplier<HostFacts.Gpus> cards,
            Supplier<Optional<EncoderFacts>> encoders,
            Supplier<List<HostFacts.Work>> work,
            Supplier<HostFacts.Versions> versions,
            Supplier<Optional<HostFacts.Certificate>> certificate,
            InstantSource clock) {}

    /** Port: the disk of the data folder. */
    @FunctionalInterface
    public interface Space {
        DiskSpace read() throws IOException;
    }

    /**
     * Encoders of this host, tested.
     *
     * @param selected by configuration; empty where it cannot be used
     */
    public record EncoderFacts(List<HostFacts.Encoder> h264, Optional<String> selected) {
        public EncoderFacts {
            h264 = List.copyOf(h264);
        }
    }

    private final Sources sources;
    private final Instant startedAt;
    private final PeriodicTask task = new PeriodicTask("host-watch", EVERY, this::measure);

    // Used by the measuring thread only.
    private final DiskGrowth growth = new DiskGrowth();
    private HostFacts.@Nullable Gpus cards;
    private Instant cardsAt = Instant.MIN;
    private @Nullable MultiGauge cardMemory;
    private @Nullable MultiGauge cardLoad;

    /** Volatile: the measuring thread publishes an immutable record. */
    private volatile HostFacts facts;

    /** Measures what costs nothing; the rest follows in the background. */
    public HostWatch(Sources sources) {
        this.sources = sources;
        this.startedAt = sources.clock().instant();
        this.facts = first();
    }

    /** Begins to measure in the background. */
    public void start() {
        task.start();
    }

    /** The newest measurement. */
    public HostFacts facts() {
        return facts;
    }

    /** Registers what no other metric says: days left on the disk, and the cards. */
    public void bind(MeterRegistry registry) {
        Gauge.builder("touchline.disk.left", this, HostWatch::secondsLeft)
                .description("Time until recording stops if the disk fills as it did lately")
                .baseUnit("seconds")
                .register(registry);
        cardMemory =
                MultiGauge.builder("touchline.gpu.memory.used")
                        .description("Memory in use of a graphics card")
                        .baseUnit("bytes")
                        .register(registry);
        cardLoad =
                MultiGauge.builder("touchline.gpu.load")
                        .description("Load of a graphics card and of its engines, 0 to 1")
                        .register(registry);
    }

    @Override
    public void close() {
        task.close();
    }

    private double secondsLeft() {
        OptionalDouble days =
                facts.disk().map(HostFacts.Disk::daysLeft).orElse(OptionalDouble.empty());
        return days.orElse(Double.NaN) * Duration.ofDays(1).toSeconds();
    }

    private HostFacts first() {
        return new HostFacts(
                startedAt,
                startedAt,
                ProcessFacts.cpu(),
                ProcessFacts.memory(sources.mediaBytes().getAsLong()),
                disk(startedAt),
                new HostFacts.Gpus(List.of(), "not looked for yet"),
                encoders(),
                sources.versions().get(),
                sources.certificate().get());
    }

    /** One measurement. */
    void measure() {
        Instant now = sources.clock().instant();
        // The cards take up to seconds: the rest does not wait for them.
        publish(now);
        if (cards == null || !now.isBefore(cardsAt.plus(CARDS_EVERY))) {
            HostFacts.Gpus found = sources.cards().get();
            boolean first = cards == null;
            cards = found;
            cardsAt = now;
            meter(found);
            if (first) {
                publish(now);
            }
        }
    }

    private void publish(Instant now) {
        facts =
                new HostFacts(
                        now,
                        startedAt,
                        ProcessFacts.cpu(),
                        ProcessFacts.memory(sources.mediaBytes().getAsLong()),
                        disk(now),
                        cards == null ? facts.gpus() : cards,
                        encoders(),
                        sources.versions().get(),
                        sources.certificate().get());
    }

    private HostFacts.Encoders encoders() {
        Optional<EncoderFacts> tested = sources.encoders().get();
        return new HostFacts.Encoders(
                tested.map(EncoderFacts::h264).orElse(List.of()),
                tested.flatMap(EncoderFacts::selected),
                sources.work().get());
    }

    private Optional<HostFacts.Disk> disk(Instant now) {
        try {
            DiskSpace space = sources.space().read();
            growth.add(now, space.totalBytes() - space.freeBytes());
            OptionalLong perDay = growth.perDay();
            long usable = Math.max(0, space.freeBytes() - sources.leastFree().get().bytes());
            OptionalDouble left =
                    perDay.isPresent()
                            ? OptionalDouble.of((double) usable / perDay.getAsLong())
                            : OptionalDouble.empty();
            return Optional.of(
                    new HostFacts.Disk(space.totalBytes(), space.freeBytes(), perDay, left));
        } catch (IOException e) {
            log.debug("the disk of the data folder cannot be read: {}", e.toString());
            return Optional.empty();
        }
    }

    private void meter(HostFacts.Gpus found) {
        MultiGauge memory = cardMemory;
        MultiGauge load = cardLoad;
        if (memory == null || load == null) {
            return;
        }
        memory.register(
                found.cards().stream()
                        .filter(card -> card.memoryUsedBytes().isPresent())
                        .<MultiGauge.Row<?>>map(
                                card ->
                                        MultiGauge.Row.of(
                                                Tags.of("card", String.valueOf(card.index())),
                                                card.memoryUsedBytes().getAsLong()))
                        .toList(),
                /* overwrite= */ true);
        load.register(
                found.cards().stream().flatMap(HostWatch::loads).toList(), /* overwrite= */ true);
    }

    private static Stream<MultiGauge.Row<?>> loads(HostFacts.Gpu card) {
        String index = String.valueOf(card.index());
        return Stream.<MultiGauge.Row<?>>of(
                MultiGauge.Row.of(Tags.of("card", index, "engine", "all"), share(card.load())),
                MultiGauge.Row.of(
                        Tags.of("card", index, "engine", "encoder"), share(card.encoderLoad())),
                MultiGauge.Row.of(
                        Tags.of("card", index, "engine", "decoder"), share(card.decoderLoad())));
    }

    private static double share(OptionalInt percent) {
        return percent.isPresent() ? percent.getAsInt() / 100.0 : Double.NaN;
    }
}
