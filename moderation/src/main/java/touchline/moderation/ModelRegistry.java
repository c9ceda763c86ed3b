package touchline.moderation;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.config.ModerationConfig;

/**
 * The models and their states. One thread loads the model folders at the start, then scans them
 * periodically. A new or changed folder is loaded when two scans in a row find it the same. The old
 * model works until the new one is loaded. A failed scan is reported; the next one tries again.
 */
final class ModelRegistry implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(ModelRegistry.class);

    private final ModerationConfig config;
    private final ModelFolders folders;
    private final Duration scanPeriod;
    private final Dependencies dependencies;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread thread = Thread.ofPlatform().name("model-registry").unstarted(this::run);
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Map<String, Entry> models = new TreeMap<>();

    /** Fingerprints of the scan before; after {@link #load}, the registry's thread only. */
    private Map<String, String> scanned = Map.of();

    private volatile String device = "unknown";

    /** Without a model nothing native is loaded. The registry's thread only, as is the next. */
    private boolean engineLoaded;

    private int batchSize = 1;

    /**
     * @param scheduler receives the loaded models
     * @param onChange called on the registry's thread after a model's state has changed
     */
    record Dependencies(
            DetectorLoader loader,
            InferenceScheduler scheduler,
            InternalErrors.Source errors,
            Runnable onChange) {}

    /**
     * @param fingerprint of the files that the status describes
     */
    private record Entry(ModelStatus status, String fingerprint) {}

    /**
     * @param demoFolder receives the demo models that the models folder lacks
     */
    ModelRegistry(
            ModerationConfig config,
            Path demoFolder,
            Duration scanPeriod,
            Dependencies dependencies) {
        this.config = config;
        this.folders = new ModelFolders(config, demoFolder);
        this.scanPeriod = scanPeriod;
        this.dependencies = dependencies;
    }

    /** Reads every model.yaml. */
    void open() {
        Map<String, Path> found = folders.find();
        scanned = ModelFolders.fingerprints(found);
        found.forEach((name, path) -> store(name, scanned.getOrDefault(name, ""), status(path)));
    }

    /** Starts the thread, which loads the models. */
    void load() {
        thread.start();
    }

    List<ModelStatus> models() {
        lock.lock();
        try {
            return models.values().stream().map(Entry::status).toList();
        } finally {
            lock.unlock();
        }
    }

    String device() {
        return device;
    }

    private void run() {
        guarded(this::loadAll);
        try {
            while (!closed.await(scanPeriod.toMillis(), TimeUnit.MILLISECONDS)) {
                guarded(this::scan);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private void guarded(Runnable step) {
        try {
            step.run();
            dependencies.errors().succeeded();
        } catch (RuntimeException | Error e) {
            dependencies.errors().failed(e);
        }
    }

    /** In any case, frames get an answer afterwards: from the models, or that none serves them. */
    private void loadAll() {
        try {
            if (models().stream().anyMatch(ModelRegistry::isLoading)) {
                loadEngine();
            }
            folders.find().forEach(this::load);
        } catch (DetectorException e) {
            log.warn("moderation: {}", e.reason());
            markLoadingBroken(e.reason());
        } catch (RuntimeException | Error e) {
            markLoadingBroken(e.toString());
            throw e;
        } finally {
            dependencies.scheduler().release(batchSize);
            dependencies.onChange().run();
        }
    }

    /** The first call loads the engine: hundreds of megabytes. */
    private void loadEngine() {
        if (!engineLoaded) {
            device = dependencies.loader().device();
            batchSize = dependencies.loader().batchSize();
            engineLoaded = true;
        }
    }

    private static boolean isLoading(ModelStatus model) {
        return model.state() == ModelStatus.State.LOADING;
    }

    private void scan() {
        Map<String, Path> found = folders.find();
        Map<String, String> now = ModelFolders.fingerprints(found);
        boolean changed = false;
        for (Map.Entry<String, Path> entry : found.entrySet()) {
            String name = entry.getKey();
            String fingerprint = now.getOrDefault(name, "");
            boolean stable = fingerprint.equals(scanned.get(name));
            if (stable && !fingerprint.equals(loadedFingerprint(name).orElse(null))) {
                log.info("model {} has changed", name);
                load(name, entry.getValue());
                changed = true;
            }
        }
        for (ModelStatus model : models()) {
            if (!found.containsKey(model.name())) {
                log.info("model {} was removed", model.name());
                dependencies.scheduler().remove(model.name());
                delete(model.name());
                changed = true;
            }
        }
        scanned = now;
        if (changed) {
            dependencies.scheduler().release(batchSize);
            dependencies.onChange().run();
        }
    }

    private void load(String name, Path path) {
        // Before the files are read: what is written meanwhile is loaded by a later scan.
        String fingerprint = ModelFolders.fingerprint(path);
        ModelStatus status = status(path);
        if (isLoading(status)) {
            // The old model still works, but its state is LOADING too.
            store(name, fingerprint, status);
            try {
                loadEngine();
                ModelFolder folder = ModelSpecReader.read(path);
                Detector detector = dependencies.loader().load(folder);
                dependencies.scheduler().install(name, folder.spec().serves(), detector);
                status = with(status, ModelStatus.State.READY, Optional.empty());
            } catch (DetectorException e) {
                status = with(status, ModelStatus.State.BROKEN, Optional.of(e.reason()));
            } catch (RuntimeException | Error e) {
                log.error("model {} cannot be loaded", name, e);
                status = with(status, ModelStatus.State.BROKEN, Optional.of(e.toString()));
            }
        }
        if (status.state() != ModelStatus.State.READY) {
            dependencies.scheduler().remove(name);
        }
        status.reason().ifPresent(reason -> log.warn("model {}: {}", name, reason));
        store(name, fingerprint, status);
    }

    /** The state of a folder before it is loaded, by its model.yaml. */
    private ModelStatus status(Path path) {
        String name = String.valueOf(path.getFileName());
        try {
            ModelSpec spec = ModelSpecReader.read(path).spec();
            boolean unused = spec.demo() && !config.demoModels();
            return new ModelStatus(
                    name,
                    spec.serves(),
                    spec.demo(),
                    spec.licence(),
                    unused ? ModelStatus.State.UNUSED : ModelStatus.State.LOADING,
                    Optional.empty());
        } catch (DetectorException e) {
            return new ModelStatus(
                    name,
                    Set.of(),
                    /* demo= */ false,
                    /* licence= */ "",
                    ModelStatus.State.BROKEN,
                    Optional.of(e.reason()));
        }
    }

    private static ModelStatus with(
            ModelStatus status, ModelStatus.State state, Optional<String> reason) {
        return new ModelStatus(
                status.name(), status.serves(), status.demo(), status.licence(), state, reason);
    }

    private void store(String name, String fingerprint, ModelStatus status) {
        lock.lock();
        try {
            models.put(name, new Entry(status, fingerprint));
        } finally {
            lock.unlock();
        }
    }

    private void delete(String name) {
        lock.lock();
        try {
            models.remove(name);
        } finally {
            lock.unlock();
        }
    }

    private void markLoadingBroken(String reason) {
        lock.lock();
        try {
            models.replaceAll(
                    (_, entry) ->
                            entry.status().state() == ModelStatus.State.LOADING
                                    ? new Entry(
                                            with(
                                                    entry.status(),
                                                    ModelStatus.State.BROKEN,
                                                    Optional.of(reason)),
                                            entry.fingerprint())
                                    : entry);
        } finally {
            lock.unlock();
        }
    }

    private Optional<String> loadedFingerprint(String name) {
        lock.lock();
        try {
            return Optional.ofNullable(models.get(name)).map(Entry::fingerprint);
        } finally {
            lock.unlock();
        }
    }

    /** Waits up to 5 s for a load that runs. */
    @Override
    public void close() {
        closed.countDown();
        try {
            thread.join(TimeUnit.SECONDS.toMillis(5));
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
