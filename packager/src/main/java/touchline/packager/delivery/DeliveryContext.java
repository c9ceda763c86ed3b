package touchline.packager.delivery;

import io.netty.handler.codec.http.HttpRequest;
import java.time.InstantSource;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import touchline.packager.audience.Audience;
import touchline.packager.edge.NodeSigner;
import touchline.packager.thumbnail.Thumbnails;

/**
 * Shared by all connections of one server. Any thread.
 *
 * @param limitsInForce asked for each deadline
 * @param nanoTime the clock of all deadlines
 * @param files stored media on its way out
 * @param thumbnails owned by the server
 * @param pages to watch in a browser
 * @param audience the viewers of live streams
 * @param cluster other servers; null without a cluster
 */
record DeliveryContext(
        PlaybackAccess access,
        Supplier<DeliveryLimits> limitsInForce,
        DeliveryCounters counters,
        ResponseHeaders headers,
        ViewerAddress viewers,
        LongSupplier nanoTime,
        OpenFiles files,
        Thumbnails thumbnails,
        WatchPages pages,
        Audience audience,
        @Nullable ClusterPlayback cluster) {
    /** Without pages; no stream is open in its audience. */
    DeliveryContext(
            PlaybackAccess access,
            Supplier<DeliveryLimits> limitsInForce,
            DeliveryCounters counters,
            ResponseHeaders headers,
            ViewerAddress viewers,
            LongSupplier nanoTime,
            Thumbnails thumbnails) {
        this(
                access,
                limitsInForce,
                counters,
                headers,
                viewers,
                nanoTime,
                new OpenFiles(nanoTime),
                thumbnails,
                WatchPages.NONE,
                new Audience(
                        new Audience.Limits(() -> 0, _ -> true), nanoTime, InstantSource.system()),
                null);
    }

    /** The same with pages, and with an audience. */
    DeliveryContext with(WatchPages shown, Audience counted) {
        return new DeliveryContext(
                access,
                limitsInForce,
                counters,
                headers,
                viewers,
                nanoTime,
                files,
                thumbnails,
                shown,
                counted,
                cluster);
    }

    /** The same as a node of a cluster. */
    DeliveryContext with(ClusterPlayback others) {
        return new DeliveryContext(
                access,
                limitsInForce,
                counters,
                headers,
                viewers,
                nanoTime,
                files,
                thumbnails,
                pages,
                audience,
                others);
    }

    /**
     * Whether another node of the cluster asks. Without a cluster its header has no meaning.
     *
     * @throws NotANodeException if the request has a signature that is none
     */
    boolean isOfNode(HttpRequest request) {
        String signature = cluster == null ? null : request.headers().get(NodeSigner.HEADER);
        if (cluster == null || signature == null) {
            return false;
        }
        if (!cluster.nodes().isSigned(signature, request.method().name(), request.uri())) {
            throw new NotANodeException();
        }
        return true;
    }

    /** The limits that hold now. */
    DeliveryLimits limits() {
        return limitsInForce.get();
    }
}
