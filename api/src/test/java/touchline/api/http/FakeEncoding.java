package touchline.api.http;

import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import touchline.api.access.MasterKeys;
import touchline.api.access.SealedSecrets;
import touchline.api.access.SecretBox;
import touchline.api.db.Database;
import touchline.api.db.StorageRepository;
import touchline.api.db.TranscodingRepository;
import touchline.api.db.TranscodingRepository.Cancellation;
import touchline.api.domain.OutputStorage;
import touchline.api.domain.TranscodingRequest;
import touchline.api.domain.TranscodingTask;
import touchline.api.storage.StorageException;
import touchline.api.vod.TaskControl;

/** Transcoding without work: requests are stored and wait, storages are taken or refused. */
final class FakeEncoding implements TaskControl {
    final List<OutputStorage> tried = new ArrayList<>();
    final StorageRepository storages;
    final TranscodingRepository tasks;

    /** Results of the next storage tests. */
    @Nullable StorageException refusal;

    private final InstantSource clock;
    private final Runnable onLookup;

    /**
     * @param onLookup runs where the server would look up a name or reach a storage
     */
    FakeEncoding(Database database, Path dataDir, InstantSource clock, Runnable onLookup) {
        this.clock = clock;
        this.onLookup = onLookup;
        SecretBox box = new SecretBox(MasterKeys.load(Optional.empty(), dataDir));
        this.storages = new StorageRepository(database, SealedSecrets.ofStorages(box));
        this.tasks = new TranscodingRepository(database, storages);
    }

    EncodingDependencies dependencies() {
        return new EncodingDependencies(storages, tasks, this::check, this, this::refused);
    }

    private void check(OutputStorage storage) throws StorageException {
        onLookup.run();
        tried.add(storage);
        StorageException wrong = refusal;
        if (wrong != null) {
            throw wrong;
        }
    }

    private Optional<String> refused(String url) {
        onLookup.run();
        return url.startsWith("https://") && !url.contains("127.0.0.1")
                ? Optional.empty()
                : Optional.of("address refused");
    }

    @Override
    public boolean begin(TranscodingRequest request, List<TranscodingTask> made) {
        return tasks.create(request, made);
    }

    @Override
    public Cancellation cancel(String task) {
        return tasks.cancel(task, clock.instant());
    }
}
