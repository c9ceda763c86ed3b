package touchline.api.app;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import touchline.api.domain.AssetId;
import touchline.api.domain.FrameName;
import touchline.api.home.HomeOperation;
import touchline.api.home.HomeStatus;
import touchline.api.home.Verification;

/** Recordings in S3 at a running server, through its API. One thread. */
final class RemoteStorage implements StorageAccess, HomeOperation {
    private static final String PATH = "/system/v1/storage";
    private static final ObjectMapper JSON = new ObjectMapper();

    private final ApiClient client;

    /** Takes ownership of the client. */
    RemoteStorage(ApiClient client) {
        this.client = client;
    }

    @Override
    public HomeOperation operation() {
        return this;
    }

    @Override
    public void startUploads() {
        HomeStatus _ = status();
    }

    @Override
    public void failIfLost() {
        // The next call fails.
    }

    @Override
    public HomeStatus status() {
        JsonNode data = client.get(PATH).path("data");
        if (!data.path("s3").asBoolean()) {
            throw new CommandException("storage.s3 is not configured at the server");
        }
        List<AssetId> examples = new ArrayList<>();
        data.path("unreadable_examples").forEach(id -> examples.add(new AssetId(id.asText())));
        return new HomeStatus(
                data.path("stored_assets").asLong(),
                data.path("waiting_assets").asLong(),
                data.path("waiting_bytes").asLong(),
                Optional.of(data.path("waiting_since"))
                        .filter(JsonNode::isNumber)
                        .map(seconds -> Instant.ofEpochSecond(seconds.asLong())),
                data.path("uploaded_files").asLong(),
                data.path("uploaded_bytes").asLong(),
                data.path("reachable").asBoolean(),
                data.path("unreadable_assets").asLong(),
                examples,
                data.path("waiting_frames").asLong(),
                data.path("unreadable_frames").asLong());
    }

    @Override
    public Verification.Result verify(boolean orphans, Verification.Report report)
            throws IOException {
        try (BufferedReader lines =
                new BufferedReader(
                        new InputStreamReader(
                                client.download(PATH + "/verify?orphans=" + orphans),
                                StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                Optional<Verification.Result> result = accept(JSON.readTree(line), report);
                if (result.isPresent()) {
                    return result.get();
                }
            }
        } catch (IOException e) {
            throw cut(e.getCause() == null ? e : e.getCause());
        }
        throw cut(new IOException("no result"));
    }

    private static CommandException cut(Throwable reason) {
        return new CommandException(
                "the server's answer ended early: %s; its log has the reason".formatted(reason),
                reason);
    }

    private static Optional<Verification.Result> accept(JsonNode line, Verification.Report report)
            throws IOException {
        switch (line.path("type").asText()) {
            case "progress" ->
                    report.progress(line.path("checked").asLong(), line.path("assets").asLong());
            case "missing" ->
                    report.found(
                            new Verification.Finding.Missing(
                                    new AssetId(line.path("asset_id").asText()),
                                    line.path("file").asText(),
                                    line.path("reason").asText()));
            case "missing_frame" ->
                    report.found(
                            new Verification.Finding.MissingFrame(
                                    new FrameName(line.path("frame").asText()),
                                    line.path("reason").asText()));
            case "orphan" ->
                    report.found(
                            new Verification.Finding.Orphan(
                                    line.path("key").asText(),
                                    line.path("objects").asLong(),
                                    line.path("size_bytes").asLong()));
            case "failed" -> throw new CommandException("S3: " + line.path("reason").asText());
            default -> {
                return Optional.of(
                        new Verification.Result(
                                line.path("assets").asLong(),
                                line.path("objects").asLong(),
                                line.path("size_bytes").asLong(),
                                line.path("waiting").asLong(),
                                line.path("missing").asLong(),
                                line.path("orphans").asLong()));
            }
        }
        return Optional.empty();
    }

    @Override
    public void close() {
        client.close();
    }
}
