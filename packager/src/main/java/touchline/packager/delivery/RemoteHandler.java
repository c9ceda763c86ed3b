package touchline.packager.delivery;

import io.netty.handler.codec.http.HttpResponseStatus;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import touchline.packager.delivery.PlaybackTarget.Item;
import touchline.packager.edge.RemoteMedia;
import touchline.packager.edge.UpstreamAnswer;
import touchline.packager.hls.LivePlayback;
import touchline.packager.hls.MediaBody;
import touchline.packager.hls.MediaUnreachableException;

/**
 * Answers one connection's requests for what another node has. Sessions are served like those of
 * this node. Event loop only.
 */
final class RemoteHandler {
    private static final String MP4 = "capped-1080p.mp4";

    private final PlaybackAnswers answers;
    private final LiveRequestHandler sessions;

    /**
     * @param sessions of the same connection
     */
    RemoteHandler(PlaybackAnswers answers, LiveRequestHandler sessions) {
        this.answers = answers;
        this.sessions = sessions;
    }

    /** Answers now, or when the owner has answered. */
    void answer(HlsExchange exchange, PlaybackDecision.Remote remote) {
        RemoteMedia media = remote.media();
        Optional<String> session = exchange.session();
        if (session.isPresent()) {
            session(exchange, remote, session.get());
            return;
        }
        switch (exchange.target().item()) {
            case Item.Multivariant _ -> multivariant(exchange, remote);
            case Item.Thumbnail _ -> passOn(exchange, media.answer(thumbnail(exchange), false));
            case Item.Chapters _ ->
                    passOn(
                            exchange,
                            media.answer(
                                    "chapters.vtt", Preconditions.acceptsGzip(exchange.headers())));
            case Item.Mp4 _ -> movie(exchange, remote);
            case Item.MediaPlaylist _,
                    Item.InitSegment _,
                    Item.Segment _,
                    Item.Part _,
                    Item.OfRendition _,
                    Item.RunInit _ ->
                    throw new IllegalStateException("of a session");
        }
    }

    private void session(HlsExchange exchange, PlaybackDecision.Remote remote, String name) {
        LivePlayback session;
        try {
            session = remote.media().session(name);
        } catch (MediaUnreachableException e) {
            answers.failed(e);
            return;
        }
        sessions.answer(
                exchange,
                new PlaybackDecision.Live(
                        List.of(session),
                        /* running= */ true,
                        remote.restricted(),
                        remote.grant(),
                        remote.viewers()));
    }

    /** With the viewer's grant, which its owner does not know. */
    private void multivariant(HlsExchange exchange, PlaybackDecision.Remote remote) {
        String id = exchange.target().playbackId();
        String prefix = remote.grant().map(grant -> id + "/~" + grant + '/').orElse(id + '/');
        sessions.began(exchange, remote.viewers());
        await(
                remote.media().multivariant(prefix, exchange.query().dvr()),
                _ -> {},
                text -> answers.multivariant(exchange, remote.restricted(), text));
    }

    private static String thumbnail(HlsExchange exchange) {
        StringBuilder name = new StringBuilder("thumbnail.jpg");
        exchange.query().time().ifPresent(time -> name.append("?time=").append(encoded(time)));
        exchange.query()
                .width()
                .ifPresent(
                        width ->
                                name.append(name.indexOf("?") < 0 ? "?width=" : "&width=")
                                        .append(encoded(width)));
        return name.toString();
    }

    private static String encoded(String value) {
        return URLEncoder.encode(value, StandardCharsets.UTF_8);
    }

    private void passOn(HlsExchange exchange, CompletionStage<Optional<UpstreamAnswer>> answer) {
        await(answer, UpstreamAnswer::release, found -> answers.passOn(exchange, found));
    }

    /** Size and entity tag first, then its bytes while they are sent. */
    private void movie(HlsExchange exchange, PlaybackDecision.Remote remote) {
        await(
                remote.media().fileHead(MP4),
                UpstreamAnswer::release,
                head -> {
                    if (head.status() != HttpResponseStatus.PARTIAL_CONTENT.code()) {
                        answers.passOn(exchange, head);
                        return;
                    }
                    String entityTag = head.header("etag").orElse("\"\"");
                    long size = size(head);
                    head.release();
                    MediaBody body =
                            new MediaBody.Fetched(
                                    size,
                                    (first, last) -> bytes(remote.media(), entityTag, first, last));
                    answers.mp4(
                            exchange,
                            new PlaybackDecision.Mp4(body, entityTag, remote.restricted()));
                });
    }

    /** RFC 9110, 14.4: {@code bytes 0-0/1234}. */
    private static long size(UpstreamAnswer head) {
        String range = head.header("content-range").orElse("");
        return Long.parseLong(range.substring(range.lastIndexOf('/') + 1));
    }

    private static CompletionStage<MediaBody.Blocks> bytes(
            RemoteMedia media, String entityTag, long first, long last) {
        return media.fileBytes(MP4, first, last)
                .thenApply(
                        found -> {
                            UpstreamAnswer part =
                                    found.orElseThrow(
                                            () -> new MediaUnreachableException("file removed"));
                            if (!part.header("etag").orElse("").equals(entityTag)) {
                                part.release();
                                throw new MediaUnreachableException("another file by now");
                            }
                            return new MediaBody.Blocks(List.of(part.body()));
                        });
    }

    private <T> void await(
            CompletionStage<Optional<T>> stage, Consumer<T> unused, Consumer<T> then) {
        sessions.await(
                stage,
                unused,
                found -> found.ifPresentOrElse(then, () -> answers.error(ErrorEnvelope.NOT_FOUND)));
    }
}
