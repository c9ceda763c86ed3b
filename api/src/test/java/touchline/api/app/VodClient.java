package touchline.api.app;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import touchline.api.http.EventSchemaCheck;
import touchline.api.storage.S3Store;

/**
 * A client of transcoding: registers storages, requests outputs, receives notifications.
 *
 * @param server may be stopped and started meanwhile
 * @param peers serve the inputs and receive the notifications
 */
record VodClient(TestServer server, VodPeers peers) {
    private static final Duration SOON = Duration.ofMinutes(3);

    /** The bucket of {@link S3Store} behind an address; answers the storage's id. */
    String storage(URI endpoint) throws Exception {
        return registered(
                """
                {"type": "s3", "region": "us-east-1", "bucket": "%s", "prefix": "vod",
                 "endpoint": "%s", "storage_ak": "%s", "storage_sk": "%s", "notify": "%s"}
                """
                        .formatted(
                                S3Store.BUCKET,
                                endpoint,
                                S3Store.ACCESS_KEY,
                                S3Store.SECRET_KEY,
                                peers.at("/done")));
    }

    /** A folder of the server; answers the storage's id. */
    String archive() throws Exception {
        return registered(
                """
                {"type": "file", "bucket": "archive", "notify": "%s"}
                """
                        .formatted(peers.at("/done")));
    }

    private String registered(String body) throws Exception {
        return server.call("POST", "/vodencoding/v1/add_storage", body, 200)
                .path("data")
                .path("storage_id")
                .asText();
    }

    /**
     * Answers the ids of the tasks.
     *
     * @param outputs JSON
     */
    List<String> request(String storage, String input, String outputs) throws Exception {
        List<String> ids = new ArrayList<>();
        server.call(
                        "POST",
                        "/vodencoding/v1/tasks",
                        """
                        {"storage_id": "%s", "input": "%s", "outputs": %s}
                        """
                                .formatted(storage, input, outputs),
                        202)
                .path("data")
                .path("tasks")
                .forEach(task -> ids.add(task.path("task_id").asText()));
        return ids;
    }

    /** As the API shows it. */
    JsonNode task(String id) {
        try {
            return server.call("GET", "/vodencoding/v1/tasks/" + id, "", 200).path("data");
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    /** Waits for the notification that came at this place. */
    VodPeers.Notice notice(int index) throws InterruptedException {
        TestServer.await("a notification", SOON, () -> peers.notices.size() > index);
        VodPeers.Notice notice = peers.notices.get(index);
        EventSchemaCheck.SHARED.checkNotification(notice.body());
        return notice;
    }

    /** Results of all tasks in the notifications. */
    List<JsonNode> notified() {
        List<JsonNode> results = new ArrayList<>();
        peers.notices.forEach(notice -> notice.json().path("data").forEach(results::add));
        return results;
    }
}
