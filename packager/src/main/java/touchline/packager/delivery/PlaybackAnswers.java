package touchline.packager.delivery;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufOutputStream;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.function.Function;
import java.util.zip.CRC32C;
import java.util.zip.GZIPOutputStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.packager.delivery.PlaybackTarget.Item;
import touchline.packager.delivery.ResponseHeaders.Freshness;
import touchline.packager.edge.PlaylistBundle;
import touchline.packager.edge.UpstreamAnswer;
import touchline.packager.hls.LivePlayback.PlaylistKind;
import touchline.packager.hls.MediaBlock;
import touchline.packager.hls.MediaBody;
import touchline.packager.hls.MediaUnreachableException;
import touchline.packager.hls.RenderedPlaylist;
import touchline.packager.thumbnail.Thumbnail;

/**
 * Answers of one connection: playlists, media, failures, with conditions, ranges and coding. Event
 * loop only.
 */
final class PlaybackAnswers {
    private static final Logger LOG = LoggerFactory.getLogger(PlaybackAnswers.class);

    /** Single files stay open while they are sent. */
    private static final PlaybackDecision.Use UNOBSERVED = () -> () -> {};

    private final ResponseHeaders headers;
    private final ResponseWriter writer;
    private final ResponseBody.Source source;
    private final BodyChunks pieces;

    PlaybackAnswers(
            ResponseHeaders headers,
            ResponseWriter writer,
            ResponseBody.Source source,
            BodyChunks pieces) {
        this.headers = headers;
        this.writer = writer;
        this.source = source;
        this.pieces = pieces;
    }

    void error(ErrorEnvelope error) {
        writer.write(ErrorResponse.of(headers, error));
    }

    /** An internal error: the log line and the answer carry the same request id. */
    void internalError(Throwable cause) {
        String requestId = ErrorEnvelope.newRequestId();
        LOG.error("request={}: cannot be answered", requestId, cause);
        writer.write(ErrorResponse.of(headers, ErrorEnvelope.INTERNAL, requestId));
    }

    /** Media that is made or fetched does not come. */
    void failed(Throwable cause) {
        Throwable reason = cause.getCause() == null ? cause : cause.getCause();
        if (reason instanceof MediaUnreachableException) {
            error(ErrorEnvelope.UNREACHABLE);
        } else {
            internalError(reason);
        }
    }

    /** For another node; takes over the references. */
    void playlists(List<RenderedPlaylist> playlists) {
        HttpHeaders head = headers.forNode(PlaylistBundle.header(playlists));
        MediaBody body = PlaylistBundle.body(playlists);
        send(
                HttpResponseStatus.OK,
                head,
                body,
                new ByteRange.Slice(0, body.sizeBytes() - 1),
                UNOBSERVED);
    }

    /** For another node: the session has no such playlist. */
    void noPlaylist() {
        writer.writeHead(HttpResponseStatus.NO_CONTENT, headers.forNode(""));
    }

    /** The answer of another node; takes over the reference. */
    void passOn(HlsExchange exchange, UpstreamAnswer answer) {
        HttpHeaders head = headers.passedOn(answer);
        HttpResponseStatus status = HttpResponseStatus.valueOf(answer.status());
        MediaBody body = new MediaBody.Blocks(List.of(answer.body()));
        String entityTag = answer.header("etag").orElse("");
        if (answer.status() == HttpResponseStatus.OK.code() && !entityTag.isEmpty()) {
            represent(exchange.request(), head, entityTag, body, UNOBSERVED);
        } else if (exchange.isHead()) {
            body.close();
            writer.writeHead(status, head);
        } else {
            send(status, head, body, new ByteRange.Slice(0, body.sizeBytes() - 1), UNOBSERVED);
        }
    }

    void preflight() {
        writer.writeHead(HttpResponseStatus.NO_CONTENT, headers.preflight());
    }

    /** A playlist rendered for this viewer. */
    void multivariant(HlsExchange exchange, boolean restricted, String text) {
        text(
                exchange.request(),
                text,
                entityTag -> headers.playlist(entityTag, Freshness.POLLED, restricted));
    }

    void chapters(HlsExchange exchange, PlaybackDecision.Chapters chapters) {
        text(
                exchange.request(),
                chapters.webVtt(),
                entityTag -> headers.chapters(entityTag, chapters.restricted()));
    }

    /**
     * A text rendered for this viewer.
     *
     * @param headed its headers by its entity tag
     */
    private void text(HttpRequest request, String text, Function<String, HttpHeaders> headed) {
        byte[] plain = text.getBytes(UTF_8);
        boolean gzip = Preconditions.acceptsGzip(request.headers());
        CRC32C sum = new CRC32C();
        sum.update(plain);
        String entityTag =
                "\""
                        + Long.toHexString((sum.getValue() << 24) ^ plain.length)
                        + (gzip ? "z\"" : "\"");
        HttpHeaders head = headed.apply(entityTag);
        if (Preconditions.isNotModified(request.headers(), entityTag)) {
            writer.writeHead(HttpResponseStatus.NOT_MODIFIED, head);
        } else {
            coded(request, head, gzip, gzip ? gzip(plain) : Unpooled.wrappedBuffer(plain));
        }
    }

    /** A watch page, or data for one. */
    void page(HttpRequest request, PageDecision.Page page) {
        text(request, page.text(), entityTag -> headers.page(entityTag, page));
    }

    /** A file of the watch pages. */
    void pageFile(HttpRequest request, PageFile file) {
        boolean gzip = file.gzip().isPresent() && Preconditions.acceptsGzip(request.headers());
        String entityTag = "\"" + file.version() + (gzip ? "z\"" : "\"");
        HttpHeaders head = headers.pageFile(file, entityTag);
        if (Preconditions.isNotModified(request.headers(), entityTag)) {
            writer.writeHead(HttpResponseStatus.NOT_MODIFIED, head);
        } else {
            ByteBuffer bytes = gzip ? file.gzip().orElseThrow() : file.plain();
            coded(request, head, gzip, Unpooled.wrappedBuffer(bytes.duplicate()));
        }
    }

    /** A media playlist; takes ownership of its blocks. */
    void playlist(
            HlsExchange exchange, boolean restricted, RenderedPlaylist text, PlaylistKind kind) {
        boolean gzip = Preconditions.acceptsGzip(exchange.headers());
        MediaBlock wanted = gzip ? text.gzip() : text.plain();
        (gzip ? text.plain() : text.gzip()).release();
        String entityTag = "\"" + text.version() + letter(kind) + (gzip ? "z\"" : "\"");
        HttpHeaders head =
                headers.playlist(entityTag, freshness(exchange.query(), text), restricted);
        if (Preconditions.isNotModified(exchange.headers(), entityTag)) {
            wanted.release();
            writer.writeHead(HttpResponseStatus.NOT_MODIFIED, head);
        } else {
            coded(
                    exchange.request(),
                    head,
                    gzip,
                    NettyMediaBlock.take(wanted, 0, wanted.sizeBytes(), source.buffers()));
        }
    }

    private static Freshness freshness(PlaybackQuery query, RenderedPlaylist text) {
        if (query.mediaSequence().isEmpty()) {
            return Freshness.POLLED;
        }
        return text.end().mayBeKept(query.mediaSequence().getAsLong(), query.part())
                ? Freshness.SETTLED
                : Freshness.PASSING;
    }

    /** An init segment, segment or part; takes ownership of the body. */
    void media(HlsExchange exchange, boolean restricted, MediaBody body) {
        String entityTag = entityTag(exchange.target().item());
        represent(
                exchange.request(),
                headers.media(entityTag, restricted),
                entityTag,
                body,
                UNOBSERVED);
    }

    /** An MP4, with the requested file name. */
    void mp4(HlsExchange exchange, PlaybackDecision.Mp4 movie) {
        HttpHeaders head = headers.media(movie.entityTag(), movie.restricted());
        exchange.query()
                .download()
                .ifPresent(
                        name ->
                                head.add(
                                        HttpHeaderNames.CONTENT_DISPOSITION,
                                        ResponseHeaders.attachment(name, ".mp4")));
        represent(exchange.request(), head, movie.entityTag(), movie.body(), movie.use());
    }

    /** An evidence frame: under its name there is never another frame. */
    void frame(HttpRequest request, String name, MediaBody file) {
        String entityTag = "\"f." + name + '"';
        represent(request, headers.frame(entityTag), entityTag, file, UNOBSERVED);
    }

    void thumbnail(HlsExchange exchange, PlaybackDecision.Thumbnail shown, Thumbnail videoFrame) {
        String entityTag = videoFrame.entityTag();
        HttpHeaders head = headers.thumbnail(entityTag, shown.settled(), shown.restricted());
        MediaBlock block =
                new NettyMediaBlock(Unpooled.wrappedBuffer(videoFrame.jpeg().asByteBuffer()));
        represent(
                exchange.request(),
                head,
                entityTag,
                new MediaBody.Blocks(List.of(block)),
                UNOBSERVED);
    }

    /** Applies conditions and ranges; takes ownership of the body. */
    private void represent(
            HttpRequest request,
            HttpHeaders head,
            String entityTag,
            MediaBody body,
            PlaybackDecision.Use use) {
        long size = body.sizeBytes();
        if (Preconditions.isNotModified(request.headers(), entityTag)) {
            body.close();
            writer.writeHead(HttpResponseStatus.NOT_MODIFIED, head);
            return;
        }
        if (request.method().equals(HttpMethod.HEAD)) {
            body.close();
            head.add(HttpHeaderNames.CONTENT_LENGTH, Long.toString(size));
            writer.writeHead(HttpResponseStatus.OK, head);
            return;
        }
        switch (Preconditions.range(request.headers(), entityTag, size)) {
            case ByteRange.Whole _ ->
                    send(HttpResponseStatus.OK, head, body, new ByteRange.Slice(0, size - 1), use);
            case ByteRange.Slice slice -> {
                head.add(HttpHeaderNames.CONTENT_RANGE, ResponseHeaders.contentRange(slice, size));
                send(HttpResponseStatus.PARTIAL_CONTENT, head, body, slice, use);
            }
            case ByteRange.Unsatisfiable _ -> {
                body.close();
                FullHttpResponse refusal = ErrorResponse.of(headers, ErrorEnvelope.RANGE);
                refusal.headers()
                        .add(HttpHeaderNames.CONTENT_RANGE, ResponseHeaders.unsatisfiedRange(size));
                writer.write(refusal);
            }
        }
    }

    private void send(
            HttpResponseStatus status,
            HttpHeaders head,
            MediaBody body,
            ByteRange.Slice bytes,
            PlaybackDecision.Use use) {
        Runnable over = use.begin();
        ResponseBody outgoing;
        try {
            outgoing = ResponseBody.open(body, bytes.first(), bytes.lengthBytes(), pieces, source);
            outgoing.whenClosed(over);
        } catch (NoSuchFileException _) {
            over.run();
            error(ErrorEnvelope.NOT_FOUND);
            return;
        } catch (IOException e) {
            over.run();
            internalError(e);
            return;
        }
        head.add(HttpHeaderNames.CONTENT_LENGTH, Long.toString(bytes.lengthBytes()));
        writer.write(status, head, outgoing);
    }

    /** Takes ownership of the content. */
    private void coded(HttpRequest request, HttpHeaders head, boolean gzip, ByteBuf content) {
        if (gzip) {
            head.add(HttpHeaderNames.CONTENT_ENCODING, HttpHeaderValues.GZIP);
        }
        head.add(HttpHeaderNames.CONTENT_LENGTH, Integer.toString(content.readableBytes()));
        if (request.method().equals(HttpMethod.HEAD)) {
            content.release();
            writer.writeHead(HttpResponseStatus.OK, head);
        } else {
            writer.write(HttpResponseStatus.OK, head, ResponseBody.of(content, pieces));
        }
    }

    /** A few hundred bytes, once per viewer. */
    private ByteBuf gzip(byte[] plain) {
        ByteBuf buffer = source.buffers().directBuffer(plain.length);
        try (GZIPOutputStream out = new GZIPOutputStream(new ByteBufOutputStream(buffer))) {
            out.write(plain);
        } catch (IOException e) {
            buffer.release();
            throw new UncheckedIOException("gzip into memory", e);
        }
        return buffer;
    }

    private static char letter(PlaylistKind kind) {
        return switch (kind) {
            case WINDOW -> 'w';
            case WINDOW_DELTA -> 'd';
            case FULL -> 'f';
        };
    }

    /** Media of a session never changes, so its name is its tag. */
    private static String entityTag(Item item) {
        return switch (item) {
            case Item.OfRendition(_, String name, Item of) ->
                    "\"" + name + '.' + entityTag(of).substring(1);
            case Item.RunInit init ->
                    "\"" + init.session() + ".i" + init.number() + '.' + init.run() + '"';
            case Item.InitSegment init -> "\"" + init.session() + ".i" + init.number() + '"';
            case Item.Segment segment ->
                    "\"" + segment.session() + ".s" + segment.mediaSequence() + '"';
            case Item.Part part ->
                    "\"" + part.session() + ".s" + part.mediaSequence() + '.' + part.part() + '"';
            case Item.Multivariant _,
                    Item.MediaPlaylist _,
                    Item.Mp4 _,
                    Item.Thumbnail _,
                    Item.Chapters _ ->
                    throw new IllegalStateException("not media of a session");
        };
    }
}
