package touchline.benchmarks.cluster;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import touchline.benchmarks.load.LowLatencyPlaylist;

/**
 * The complete segments of a session that still runs, from {@code ?dvr=1}, for a decoder that reads
 * to their end. The decoder knows no {@code EXT-X-GAP}: it would ask for media that is lost.
 * Stateless.
 */
final class DvrSnapshot {
    private static final Duration REPLY = Duration.ofSeconds(20);
    private static final int OK = 200;
    private static final String MAP = "#EXT-X-MAP:URI=\"";
    private static final String GAP = "#EXT-X-GAP";
    private static final String END = "#EXT-X-ENDLIST";

    /** Tags that stand before the URI of their segment. */
    private static final List<String> OF_SEGMENT =
            List.of("#EXTINF:", GAP, "#EXT-X-PROGRAM-DATE-TIME:");

    /** Tags of what grows. */
    private static final List<String> OF_LIVE =
            List.of(
                    "#EXT-X-PART",
                    "#EXT-X-PRELOAD-HINT:",
                    "#EXT-X-SERVER-CONTROL:",
                    "#EXT-X-RENDITION-REPORT:");

    private DvrSnapshot() {}

    /**
     * Decodes all that is listed now.
     *
     * @param stream address of a live stream, at any node
     * @return what the decoder says; empty if it has no complaint
     */
    static String decode(URI stream) throws IOException, InterruptedException {
        Path file = Files.createTempFile("touchline-bench-dvr", ".m3u8");
        try (HttpClient client = HttpClient.newHttpClient()) {
            URI multivariant = URI.create(stream + "?dvr=1");
            URI media = LowLatencyPlaylist.mediaOf(text(client, multivariant), multivariant);
            Files.writeString(file, ended(text(client, media), media));
            return Decoder.complaint(
                    file, "-protocol_whitelist", "file,http,tcp", "-allowed_extensions", "ALL");
        } finally {
            Files.delete(file);
        }
    }

    private static String text(HttpClient client, URI address)
            throws IOException, InterruptedException {
        HttpResponse<String> reply =
                client.send(
                        HttpRequest.newBuilder(address).timeout(REPLY).build(),
                        BodyHandlers.ofString());
        if (reply.statusCode() != OK) {
            throw new IOException(
                    "%s: HTTP %d (expected: 200)".formatted(address, reply.statusCode()));
        }
        return reply.body();
    }

    /** The same segments without gaps, and no more to come. */
    static String ended(String playlist, URI address) {
        StringBuilder text = new StringBuilder();
        List<String> pending = new ArrayList<>();
        for (String line : playlist.lines().toList()) {
            if (OF_LIVE.stream().anyMatch(line::startsWith) || line.equals(END)) {
                continue;
            }
            if (OF_SEGMENT.stream().anyMatch(line::startsWith)) {
                pending.add(line);
            } else if (line.startsWith(MAP)) {
                int end = line.indexOf('"', MAP.length());
                URI init = address.resolve(line.substring(MAP.length(), end));
                text.append(MAP).append(init).append(line.substring(end));
                text.append('\n');
            } else if (line.isEmpty() || line.startsWith("#")) {
                text.append(line).append('\n');
            } else {
                if (!pending.contains(GAP)) {
                    pending.forEach(each -> text.append(each).append('\n'));
                    text.append(address.resolve(line)).append('\n');
                }
                pending.clear();
            }
        }
        return text.append(END).append('\n').toString();
    }
}
