package touchline.benchmarks.load;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Looks at one stream's media playlist now and then, and finds holes in it. Owned by one thread.
 */
final class PlaylistWatch {
    private final HttpClient client;
    private final URI address;
    private final TreeSet<Long> seen = new TreeSet<>();
    private final TreeMap<Long, URI> segments = new TreeMap<>();
    private double coveredSeconds;

    PlaylistWatch(HttpClient client, URI address) {
        this.client = client;
        this.address = address;
    }

    void look() throws IOException, InterruptedException {
        URI at = address;
        String text = get(at);
        if (text.contains("#EXT-X-STREAM-INF")) {
            at =
                    at.resolve(
                            text.lines()
                                    .filter(line -> !line.startsWith("#"))
                                    .findFirst()
                                    .orElseThrow());
            text = get(at);
        }
        long number = 0;
        double seconds = 0;
        for (String line : text.lines().toList()) {
            if (line.startsWith("#EXT-X-MEDIA-SEQUENCE:")) {
                number = Long.parseLong(line.substring("#EXT-X-MEDIA-SEQUENCE:".length()));
            } else if (line.startsWith("#EXTINF:")) {
                seconds = Double.parseDouble(line.substring(8, line.indexOf(',')));
            } else if (!line.isEmpty() && !line.startsWith("#")) {
                if (seen.add(number)) {
                    coveredSeconds += seconds;
                }
                segments.put(number++, at.resolve(line));
            }
        }
    }

    /** Segment numbers that were never listed between the first and the last. */
    long holes() {
        return seen.isEmpty() ? 0 : seen.last() - seen.first() + 1 - seen.size();
    }

    /** Media listed since the first look, in seconds. */
    double coveredSeconds() {
        return coveredSeconds;
    }

    /** How many of the two newest segments cannot be had. */
    int missing() throws IOException, InterruptedException {
        int missing = 0;
        for (URI segment : segments.descendingMap().values().stream().limit(2).toList()) {
            var reply =
                    client.send(
                            HttpRequest.newBuilder(segment).build(), BodyHandlers.ofByteArray());
            missing += reply.statusCode() == 200 && reply.body().length > 1000 ? 0 : 1;
        }
        return segments.isEmpty() ? 1 : missing;
    }

    private String get(URI at) throws IOException, InterruptedException {
        var reply = client.send(HttpRequest.newBuilder(at).build(), BodyHandlers.ofString());
        return reply.statusCode() == 200 ? reply.body() : "";
    }
}
