package touchline.packager.delivery;

import io.netty.channel.Channel;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One debug line per answer. Any thread. */
final class AccessLog {
    private static final Logger LOG = LoggerFactory.getLogger(AccessLog.class);

    private AccessLog() {}

    /** Logs neither grant nor query, which may carry secrets, and no client's text. */
    static void answered(Channel channel, @Nullable HttpRequest request, HttpResponse response) {
        if (!LOG.isDebugEnabled()) {
            return;
        }
        Optional<PlaybackTarget> target =
                Optional.ofNullable(request).flatMap(r -> PlaybackTarget.parse(r.uri()));
        LOG.debug(
                "viewer={} playback_id={} item={} status={} bytes={}",
                ViewerAddress.peer(channel).getHostAddress(),
                target.map(PlaybackTarget::playbackId).orElse("-"),
                target.map(t -> t.item().toString()).orElse("-"),
                response.status().code(),
                response.headers().get(HttpHeaderNames.CONTENT_LENGTH, "0"));
    }
}
