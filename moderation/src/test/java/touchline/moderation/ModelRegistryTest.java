package touchline.moderation;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.config.ModerationConfig;
import touchline.testing.Await;
import touchline.testing.SettableClock;

final class ModelRegistryTest {
    @TempDir Path models;
    @TempDir Path demos;

    private final SettableClock clock = new SettableClock();
    private final FakeDetectors fakes = new FakeDetectors();
    private final InternalErrors errors = new InternalErrors(clock::nanoTime);
    private final SampleCounts counts = new SampleCounts(null);
    private final AtomicInteger calls = new AtomicInteger();
    private final InferenceScheduler scheduler =
            new InferenceScheduler(4, 0, clock::nanoTime, errors, counts);

    @AfterEach
    void close() {
        scheduler.close();
        assertEquals(0, fakes.open());
    }

    @Test
    void failedScan_isReportedOnce_andTheNextOneLoadsWhatIsNew() {
        try (ModelRegistry registry = start(Duration.ofMillis(5))) {
            Await.until(() -> counts.snapshot().errors() == 1, () -> "no error is counted");
            FakeDetectors.write(models, "guns", AlertType.WEAPON);
            Await.until(
                    () -> states(registry).equals(List.of(ModelStatus.State.READY)),
                    () -> registry.models().toString());

            Await.until(() -> errors.active().isEmpty(), () -> errors.active().toString());
            assertEquals(1, counts.snapshot().errors());
        }
    }

    @Test
    void failedScan_isShownUntilTheNextOne() {
        try (ModelRegistry _ = start(Duration.ofHours(1))) {
            Await.until(() -> !errors.active().isEmpty(), () -> "no error is shown");

            assertEquals(
                    List.of("model scan failed: java.lang.IllegalStateException: injected"),
                    errors.active());
        }
    }

    @Test
    void engine_isLoadedForTheFirstModelOnly() {
        calls.set(1);
        try (ModelRegistry registry = start(Duration.ofMillis(5))) {
            assertEquals("unknown", registry.device());
            assertFalse(fakes.engineLoaded());

            fakes.batchSize(4);
            FakeDetectors.write(models, "guns", AlertType.WEAPON);
            Await.until(() -> fakes.open() == 1, () -> registry.models().toString());
            assertEquals("cpu", registry.device());
            assertTrue(fakes.engineLoaded());
        }
    }

    @Test
    void folderThatIsRemoved_removesItsModel() throws Exception {
        calls.set(1);
        Path guns = FakeDetectors.write(models, "guns", AlertType.WEAPON);
        FakeDetectors.write(models, "nudes", AlertType.NUDE);
        try (ModelRegistry registry = start(Duration.ofMillis(5))) {
            Await.until(() -> fakes.open() == 2, () -> registry.models().toString());

            Files.delete(guns.resolve(ModelSpecReader.FILE));
            Files.delete(guns.resolve("model.pt"));
            Files.delete(guns);

            Await.until(
                    () -> registry.models().size() == 1 && fakes.open() == 1,
                    () -> registry.models().toString());
            assertEquals("nudes", registry.models().getFirst().name());
            assertEquals(List.of(ModelStatus.State.READY), states(registry));
        }
    }

    @Test
    void modelWhoseLoadFailsUnexpectedly_isBroken_othersAreLoaded() {
        calls.set(1);
        FakeDetectors.write(models, "guns", AlertType.WEAPON);
        FakeDetectors.write(models, "nudes", AlertType.NUDE);
        fakes.unloadable("guns", new IllegalStateException("a bug"));
        try (ModelRegistry registry = start(Duration.ofHours(1))) {
            Await.until(
                    () -> !states(registry).contains(ModelStatus.State.LOADING),
                    () -> registry.models().toString());

            assertEquals(
                    List.of(ModelStatus.State.BROKEN, ModelStatus.State.READY), states(registry));
            assertEquals(
                    Optional.of("java.lang.IllegalStateException: a bug"),
                    registry.models().getFirst().reason());
        }
    }

    /** Such as a libtorch without the driver that it needs. */
    @Test
    void engineThatCannotBeLoaded_breaksTheModelsThatWait_withItsReason() {
        calls.set(1);
        FakeDetectors.write(models, "guns", AlertType.WEAPON);
        Path demo = FakeDetectors.write(models, "odd", AlertType.NUDE);
        fakes.deviceFails(new DetectorException("no CUDA"));
        assertDoesNotThrow(() -> Files.writeString(demo.resolve(ModelSpecReader.FILE), "odd"));
        try (ModelRegistry registry = start(Duration.ofHours(1))) {
            Await.until(
                    () -> !states(registry).contains(ModelStatus.State.LOADING),
                    () -> registry.models().toString());

            assertEquals(Optional.of("no CUDA"), registry.models().getFirst().reason());
            assertEquals(
                    List.of(ModelStatus.State.BROKEN, ModelStatus.State.BROKEN), states(registry));
            assertFalse(
                    registry.models().getLast().reason().equals(Optional.of("no CUDA")),
                    "it was broken before");
        }
    }

    @Test
    void close_interruptedCaller_staysInterrupted() {
        calls.set(1);
        ModelRegistry registry = start(Duration.ofHours(1));

        Thread.currentThread().interrupt();
        registry.close();

        assertTrue(Thread.interrupted());
    }

    /** A registry whose first call of the listener fails. */
    private ModelRegistry start(Duration scanPeriod) {
        ModelRegistry registry =
                new ModelRegistry(
                        ModerationConfig.of(models, false, "cpu"),
                        demos,
                        scanPeriod,
                        new ModelRegistry.Dependencies(
                                fakes,
                                scheduler,
                                errors.source("model scan", counts),
                                this::modelsChanged));
        registry.open();
        registry.load();
        return registry;
    }

    private void modelsChanged() {
        if (calls.incrementAndGet() == 1) {
            throw new IllegalStateException("injected");
        }
    }

    private static List<ModelStatus.State> states(ModelRegistry registry) {
        return registry.models().stream().map(ModelStatus::state).toList();
    }
}
