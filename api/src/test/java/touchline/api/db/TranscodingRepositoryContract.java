package touchline.api.db;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import touchline.api.db.StorageRepository.Deletion;
import touchline.api.db.TranscodingRepository.Cancellation;
import touchline.api.domain.OutputStorage;
import touchline.api.domain.PageRequest;
import touchline.api.domain.StorageKeys;
import touchline.api.domain.StorageType;
import touchline.api.domain.TaskError;
import touchline.api.domain.TaskState;
import touchline.api.domain.TaskStatus;
import touchline.api.domain.TranscodingRequest;
import touchline.api.domain.TranscodingRequest.Notice;
import touchline.api.domain.TranscodingTask;
import touchline.media.transcode.FileFormat;
import touchline.media.transcode.TranscodeRequest;

/** Contract of {@link StorageRepository} and {@link TranscodingRepository} on any database. */
abstract class TranscodingRepositoryContract {
    private static final URI NOTIFY = URI.create("https://client.example/done");

    private StorageRepository storages;
    private TranscodingRepository tasks;
    private boolean stale;

    abstract Database database();

    /** Turns texts around: enough to see that nothing lies open. */
    private final class Mirror implements SecretVault {
        @Override
        public String seal(String secrets, String storageId) {
            return storageId + "|" + new StringBuilder(secrets).reverse();
        }

        @Override
        public String open(String sealed, String storageId) {
            assertTrue(sealed.startsWith(storageId + "|"), "sealed for another storage");
            return new StringBuilder(sealed.substring(storageId.length() + 1)).reverse().toString();
        }

        @Override
        public boolean isStale(String sealed) {
            return stale;
        }
    }

    @BeforeEach
    void empty() {
        database().with(handle -> handle.execute("DELETE FROM transcoding_requests"));
        database().with(handle -> handle.execute("DELETE FROM transcoding_storages"));
        storages = new StorageRepository(database(), new Mirror());
        tasks = new TranscodingRepository(database(), storages);
    }

    private OutputStorage storage(String id) {
        OutputStorage storage =
                new OutputStorage(
                        id,
                        StorageType.OSS,
                        "cn-hangzhou",
                        "archive",
                        "touchline/vod",
                        Optional.of(URI.create("https://store.example")),
                        Optional.of(true),
                        Optional.of(new StorageKeys("access", "very-secret")),
                        NOTIFY,
                        Optional.of("whsec_abc"),
                        Samples.NOW);
        storages.create(storage);
        return storage;
    }

    private List<TranscodingTask> request(String id, String storageId, int outputs) {
        TranscodingRequest request =
                new TranscodingRequest(
                        id, storageId, "asset:ast_1", NOTIFY, Notice.WAITING, Samples.NOW);
        List<TranscodingTask> made =
                java.util.stream.IntStream.range(0, outputs)
                        .mapToObj(i -> task(id, storageId, "task_" + id + i))
                        .toList();
        assertTrue(tasks.create(request, made));
        return made;
    }

    private static TranscodingTask task(String requestId, String storageId, String id) {
        return new TranscodingTask(
                id,
                requestId,
                storageId,
                "asset:ast_1",
                new TranscodeRequest(
                        FileFormat.HLS,
                        List.of(720, 360),
                        OptionalInt.of(2_000_000),
                        OptionalInt.empty()),
                "index.m3u8",
                "archive/touchline/vod/" + id + "/index.m3u8",
                TaskStatus.QUEUED,
                Samples.NOW);
    }

    @Test
    void storage_created_comesBackEqual_withSealedSecrets() {
        OutputStorage storage = storage("sto_1");

        assertEquals(Optional.of(storage), storages.find("sto_1"));
        assertEquals(List.of(storage), storages.list(PageRequest.FIRST).items());
        assertEquals(Optional.empty(), storages.find("sto_2"));
        String row =
                database()
                        .with(
                                handle ->
                                        handle.createQuery("SELECT * FROM transcoding_storages")
                                                .mapToMap()
                                                .one()
                                                .toString());
        assertFalse(row.contains("very-secret"), row);
        assertFalse(storage.toString().contains("very-secret"), storage.toString());
    }

    @Test
    void storage_underAnOlderKey_isSealedAnew() {
        OutputStorage storage = storage("sto_1");
        assertEquals(0, storages.resealStale());
        stale = true;
        assertEquals(1, storages.resealStale());
        assertEquals(Optional.of(storage), storages.find("sto_1"));
    }

    @Test
    void storage_withOpenTasks_isNotDeleted_andKeptUntilNotified() {
        storage("sto_1");
        request("r", "sto_1", 1);

        assertEquals(Deletion.IN_USE, storages.delete("sto_1", Samples.NOW));
        assertTrue(tasks.notice("r", Notice.WAITING, Notice.PENDING));
        assertEquals(Deletion.DELETED, storages.delete("sto_1", Samples.NOW));
        assertEquals(Deletion.NOT_FOUND, storages.delete("sto_1", Samples.NOW));
        assertEquals(Optional.empty(), storages.find("sto_1"));
        assertEquals(0, storages.purge());
        assertTrue(storages.findKept("sto_1").isPresent());
        assertTrue(tasks.notice("r", Notice.PENDING, Notice.DELIVERED));
        assertEquals(1, storages.purge());
        assertTrue(storages.findKept("sto_1").isEmpty());
    }

    @Test
    void request_ofADeletedStorage_isNotMade() {
        TranscodingRequest request =
                new TranscodingRequest(
                        "r", "sto_none", "asset:a", NOTIFY, Notice.WAITING, Samples.NOW);

        assertFalse(tasks.create(request, List.of(task("r", "sto_none", "task_1"))));
        assertEquals(Optional.empty(), tasks.find("task_1"));
    }

    @Test
    void tasks_comeBackEqual_inTheirOrder() {
        storage("sto_1");
        List<TranscodingTask> made = request("r", "sto_1", 3);

        assertEquals(made, tasks.ofRequest("r"));
        assertEquals(Optional.of(made.getFirst()), tasks.find(made.getFirst().id()));
        assertEquals(made.reversed(), tasks.list(Optional.empty(), PageRequest.FIRST).items());
        assertEquals(
                List.of(), tasks.list(Optional.of(TaskState.RUNNING), PageRequest.FIRST).items());
        assertEquals(3, tasks.count(TaskState.QUEUED));
        assertEquals(List.of("r"), tasks.unfinished());
    }

    @Test
    void task_throughItsLife_isStored() {
        storage("sto_1");
        TranscodingTask task = request("r", "sto_1", 1).getFirst();
        TaskStatus running = task.status().started(Samples.NOW);
        assertTrue(tasks.update(task.id(), running));
        assertTrue(tasks.progress(task.id(), 0.5));
        assertEquals(0.5, tasks.find(task.id()).orElseThrow().status().progress());
        TaskStatus again = running.again(new TaskError(1006, "storage: busy"));
        assertTrue(tasks.update(task.id(), again));
        assertEquals(again, tasks.find(task.id()).orElseThrow().status());
        assertFalse(tasks.progress(task.id(), 0.6));
        TaskStatus done =
                again.started(Samples.NOW.plusSeconds(5))
                        .succeeded(
                                3_000_000,
                                List.of("a note", "another"),
                                Samples.NOW.plusSeconds(9));
        assertTrue(tasks.update(task.id(), done));

        assertEquals(done, tasks.find(task.id()).orElseThrow().status());
        assertFalse(tasks.update(task.id(), done.failed(new TaskError(1099, "x"), Samples.NOW)));
        assertEquals(done, tasks.find(task.id()).orElseThrow().status());
    }

    @Test
    void cancel_ofWhatIsNotOver_ends() {
        storage("sto_1");
        List<TranscodingTask> made = request("r", "sto_1", 2);
        assertTrue(tasks.update(made.get(1).id(), made.get(1).status().started(Samples.NOW)));

        Cancellation waiting = tasks.cancel(made.get(0).id(), Samples.NOW);
        Cancellation running = tasks.cancel(made.get(1).id(), Samples.NOW);

        assertFalse(((Cancellation.Done) waiting).wasRunning());
        assertTrue(((Cancellation.Done) running).wasRunning());
        assertEquals(
                TaskState.CANCELED, tasks.find(made.get(1).id()).orElseThrow().status().state());
        assertEquals(
                new Cancellation.Over(TaskState.CANCELED),
                tasks.cancel(made.get(0).id(), Samples.NOW));
        assertEquals(new Cancellation.NotFound(), tasks.cancel("task_none", Samples.NOW));
    }

    @Test
    void notice_movesOnOnce_andKeepsItsLog() {
        storage("sto_1");
        request("r", "sto_1", 1);
        assertTrue(tasks.notice("r", Notice.WAITING, Notice.PENDING));
        assertFalse(tasks.notice("r", Notice.WAITING, Notice.PENDING));
        assertEquals(List.of("r"), tasks.unnoticed());
        TranscodingRequest.Attempt failed =
                new TranscodingRequest.Attempt(1, Samples.NOW, 12, 500, "the receiver answers 500");
        TranscodingRequest.Attempt accepted =
                new TranscodingRequest.Attempt(2, Samples.NOW.plusSeconds(5), 9, 200, "");
        tasks.attempted("r", failed);
        tasks.attempted("r", accepted);
        assertTrue(tasks.notice("r", Notice.PENDING, Notice.DELIVERED));

        assertEquals(
                Optional.of(
                        new TranscodingRequest.Log(Notice.DELIVERED, List.of(failed, accepted))),
                tasks.noticeLog("r"));
        assertEquals(List.of(), tasks.unnoticed());
        assertEquals(0, tasks.purge(Samples.NOW));
        assertEquals(1, tasks.purge(Samples.NOW.plus(Duration.ofSeconds(1))));
        assertEquals(Optional.empty(), tasks.noticeLog("r"));
    }
}
