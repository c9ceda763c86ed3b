package touchline.benchmarks.cluster;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import touchline.benchmarks.load.LiveAddress;
import touchline.benchmarks.load.LowLatencyPlaylist;

/** Disables a stream by any node, and looks for its media at all of them. One thread. */
final class DisableCheck {
    private static final Duration REPLY = Duration.ofSeconds(20);
    private static final Duration SHOWN = Duration.ofMinutes(2);
    private static final Duration POLL = Duration.ofMillis(200);

    private final List<ClusterNode> nodes;
    private final LiveAddress stream;
    private final Random random;
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    DisableCheck(List<ClusterNode> nodes, LiveAddress stream, Random random) {
        this.nodes = nodes;
        this.stream = stream;
        this.random = random;
    }

    /** Returns what was answered with media after the answer to the disable. */
    List<String> run() throws IOException, InterruptedException {
        List<URI> shown = new ArrayList<>();
        for (ClusterNode node : nodes) {
            shown.addAll(awaitShown(node));
        }
        String path = "/live/v1/live-streams/" + stream.id();
        nodes.get(random.nextInt(nodes.size())).server().call("PUT", path + "/disable", "");
        List<String> faults = new ArrayList<>();
        for (URI address : shown) {
            int status = status(address);
            if (status != 404) {
                faults.add(address + ": HTTP " + status + " (expected: 404)");
            }
        }
        nodes.get(random.nextInt(nodes.size())).server().call("PUT", path + "/enable", "");
        return faults;
    }

    /** The addresses of playlists and of a segment at a node, all of which it has answered. */
    private List<URI> awaitShown(ClusterNode node) throws IOException, InterruptedException {
        long endNs = System.nanoTime() + SHOWN.toNanos();
        URI multivariant = node.playback(stream.watch().getPath().substring(1));
        while (System.nanoTime() - endNs < 0) {
            if (status(multivariant) == 200) {
                URI media = LowLatencyPlaylist.mediaOf(text(multivariant), multivariant);
                if (status(media) == 200) {
                    var segments = LowLatencyPlaylist.parse(text(media), media).segments();
                    if (!segments.isEmpty() && status(segments.getLast().address()) == 200) {
                        return List.of(multivariant, media, segments.getLast().address());
                    }
                }
            }
            Thread.sleep(POLL);
        }
        throw new IOException(multivariant + ": not shown after " + SHOWN);
    }

    private int status(URI address) throws IOException, InterruptedException {
        return client.send(request(address), BodyHandlers.discarding()).statusCode();
    }

    private String text(URI address) throws IOException, InterruptedException {
        return client.send(request(address), BodyHandlers.ofString()).body();
    }

    private static HttpRequest request(URI address) {
        return HttpRequest.newBuilder(address).timeout(REPLY).build();
    }
}
