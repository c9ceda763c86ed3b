package touchline.api.http;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.helidon.http.Method;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.api.domain.Scope;
import touchline.api.home.HomeOperation;
import touchline.api.home.HomeStatus;
import touchline.api.home.Verification;
import touchline.api.storage.StorageException;

/** Recordings in S3: how far the uploads are, and whether all is there. Any thread. */
final class RecordingStorageRoutes {
    private static final Logger log = LoggerFactory.getLogger(RecordingStorageRoutes.class);
    private static final String PATH = "/system/v1/storage";
    private static final String ORPHANS = "orphans";
    private static final String LINES_TYPE = "application/x-ndjson";

    private final Optional<HomeOperation> home;

    /** One comparison at a time: it may ask for thousands of objects. */
    private final Semaphore verifying = new Semaphore(1);

    RecordingStorageRoutes(Optional<HomeOperation> home) {
        this.home = home;
    }

    List<ApiRoute> routes() {
        return List.of(
                ApiRoute.of(Method.GET, PATH, Scope.SYSTEM, this::show),
                ApiRoute.of(Method.POST, PATH + "/verify", Scope.SYSTEM, this::verify));
    }

    private ApiReply show(ApiRequest request) {
        ObjectNode data = Json.object();
        data.put("s3", home.isPresent());
        if (home.isPresent()) {
            HomeStatus status = home.get().status();
            data.put("reachable", status.reachable());
            data.put("stored_assets", status.storedAssets());
            data.put("waiting_assets", status.waitingAssets());
            data.put("waiting_bytes", status.waitingBytes());
            data.put(
                    "waiting_since",
                    status.oldest().map(oldest -> oldest.getEpochSecond()).orElse(null));
            data.put("uploaded_files", status.uploadedFiles());
            data.put("uploaded_bytes", status.uploadedBytes());
            data.put("unreadable_assets", status.unreadable());
            ArrayNode examples = data.putArray("unreadable_examples");
            status.examples().forEach(asset -> examples.add(asset.value()));
            data.put("waiting_frames", status.waitingFrames());
            data.put("unreadable_frames", status.unreadableFrames());
        }
        return ApiReply.ok(data);
    }

    /** A line of JSON for each finding, while the comparison runs. */
    private ApiReply verify(ApiRequest request) {
        boolean orphans = QueryFlag.of(request, ORPHANS);
        HomeOperation operation =
                home.orElseThrow(
                        () -> ApiException.wrongState("recordings are not in S3 (storage.s3)"));
        if (!verifying.tryAcquire()) {
            throw ApiException.wrongState("another verification is running");
        }
        return new ApiReply.Streamed(LINES_TYPE, new Lines(operation, orphans));
    }

    private final class Lines implements ApiReply.Writer {
        private final HomeOperation operation;
        private final boolean orphans;

        Lines(HomeOperation operation, boolean orphans) {
            this.operation = operation;
            this.orphans = orphans;
        }

        @Override
        public void write(OutputStream out) throws IOException {
            try {
                Verification.Result result = operation.verify(orphans, new Sent(out));
                line(
                        out,
                        Json.object()
                                .put("type", "result")
                                .put("assets", result.assets())
                                .put("objects", result.objects())
                                .put("size_bytes", result.bytes())
                                .put("waiting", result.waiting())
                                .put("missing", result.missing())
                                .put("orphans", result.orphans()));
            } catch (StorageException e) {
                log.warn("storage verify: S3 does not answer: {}", e.getMessage());
                line(out, Json.object().put("type", "failed").put("reason", e.getMessage()));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("the server stops", e);
            }
        }

        @Override
        public void close() {
            verifying.release();
        }
    }

    private record Sent(OutputStream out) implements Verification.Report {
        @Override
        public void progress(long checked, long all) throws IOException {
            line(
                    out,
                    Json.object()
                            .put("type", "progress")
                            .put("checked", checked)
                            .put("assets", all));
        }

        @Override
        public void found(Verification.Finding finding) throws IOException {
            line(
                    out,
                    switch (finding) {
                        case Verification.Finding.Missing missing ->
                                Json.object()
                                        .put("type", "missing")
                                        .put("asset_id", missing.asset().value())
                                        .put("file", missing.file())
                                        .put("reason", missing.reason());
                        case Verification.Finding.MissingFrame missing ->
                                Json.object()
                                        .put("type", "missing_frame")
                                        .put("frame", missing.frame().value())
                                        .put("reason", missing.reason());
                        case Verification.Finding.Orphan orphan ->
                                Json.object()
                                        .put("type", "orphan")
                                        .put("key", orphan.key())
                                        .put("objects", orphan.objects())
                                        .put("size_bytes", orphan.bytes());
                    });
        }
    }

    private static void line(OutputStream out, ObjectNode line) throws IOException {
        out.write((line + "\n").getBytes(StandardCharsets.UTF_8));
        out.flush();
    }
}
