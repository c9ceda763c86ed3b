package touchline.api.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.media.store.DiskSpace;

final class HostWatchTest {
    private static final HostFacts.Gpus CARDS =
            new HostFacts.Gpus(
                    List.of(
                            new HostFacts.Gpu(
                                    0,
                                    "NVIDIA L4",
                                    "570",
                                    OptionalLong.of(100),
                                    OptionalLong.of(40),
                                    OptionalInt.of(50),
                                    OptionalInt.of(25),
                                    OptionalInt.empty(),
                                    OptionalInt.empty())),
                    "");

    private Instant now = Instant.parse("2026-11-23T00:00:00Z");
    private long freeBytes = 5_000;
    private boolean diskBroken;
    private int cardsAsked;
    private Optional<HostWatch.EncoderFacts> encoders = Optional.empty();
    private final HostWatch watch =
            new HostWatch(
                    new HostWatch.Sources(
                            this::space,
                            () -> new DiskSpace.Least(1_000, 0),
                            () -> 77,
                            () -> {
                                cardsAsked++;
                                return CARDS;
                            },
                            () -> encoders,
                            () -> List.of(new HostFacts.Work("scoreboard", 3, OptionalLong.of(4))),
                            () ->
                                    new HostFacts.Versions(
                                            "1",
                                            "25",
                                            Optional.empty(),
                                            Optional.empty(),
                                            "L",
                                            "H2"),
                            Optional::empty,
                            () -> now));

    @Test
    void beforeTheFirstMeasurement_cheapFactsAreThere() {
        assertEquals(77, watch.facts().memory().media());
        assertTrue(watch.facts().memory().heapUsed() > 0);
        assertEquals("not looked for yet", watch.facts().gpus().reason());
        assertEquals(List.of(), watch.facts().encoders().h264());
        assertEquals(0, cardsAsked);
    }

    @Test
    void daysLeft_areThoseUntilRecordingStops() {
        watch.measure();
        now = now.plus(Duration.ofDays(1));
        freeBytes = 3_000;
        watch.measure();

        HostFacts.Disk disk = watch.facts().disk().orElseThrow();
        assertEquals(OptionalLong.of(2_000), disk.growthPerDay());
        assertEquals(OptionalDouble.of(1.0), disk.daysLeft());
    }

    @Test
    void diskThatDoesNotGrow_hasNoDays() {
        watch.measure();
        now = now.plus(Duration.ofDays(1));
        watch.measure();

        assertEquals(OptionalDouble.empty(), watch.facts().disk().orElseThrow().daysLeft());
    }

    @Test
    void brokenDisk_isLeftOut() {
        diskBroken = true;

        watch.measure();

        assertEquals(Optional.empty(), watch.facts().disk());
    }

    @Test
    void cards_areAskedEveryHalfMinute_encodersUntilTheyAreKnown() {
        watch.measure();
        now = now.plusSeconds(5);
        encoders =
                Optional.of(
                        new HostWatch.EncoderFacts(
                                List.of(new HostFacts.Encoder("x264", false, "")),
                                Optional.of("x264")));
        watch.measure();
        assertEquals(1, cardsAsked);
        assertEquals(Optional.of("x264"), watch.facts().encoders().selected());

        now = now.plusSeconds(25);
        watch.measure();
        assertEquals(2, cardsAsked);
        assertEquals(CARDS, watch.facts().gpus());
    }

    @Test
    void meters_showDaysAndCards() {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        watch.bind(registry);
        assertTrue(Double.isNaN(registry.get("touchline.disk.left").gauge().value()));

        watch.measure();

        assertEquals(
                40, registry.get("touchline.gpu.memory.used").tag("card", "0").gauge().value());
        assertEquals(
                0.25, registry.get("touchline.gpu.load").tag("engine", "encoder").gauge().value());
    }

    @Test
    void factsOfProc_areReadByName(@TempDir Path folder) throws IOException {
        Path status = Files.writeString(folder.resolve("status"), "Name:\tjava\nVmRSS:\t  12 kB\n");

        assertEquals(OptionalLong.of(12_288), ProcessFacts.kibibytes(status, "VmRSS:"));
        assertEquals(OptionalLong.empty(), ProcessFacts.kibibytes(status, "VmSwap:"));
        assertEquals(
                OptionalLong.empty(), ProcessFacts.kibibytes(folder.resolve("none"), "VmRSS:"));
    }

    private DiskSpace space() throws IOException {
        if (diskBroken) {
            throw new IOException("of a test");
        }
        return new DiskSpace(freeBytes, 10_000, Long.MAX_VALUE, Long.MAX_VALUE);
    }
}
