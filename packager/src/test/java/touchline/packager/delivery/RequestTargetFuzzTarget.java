package touchline.packager.delivery;

import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.util.List;
import touchline.packager.delivery.PlaybackQuery.BadQueryException;
import touchline.packager.delivery.PlaybackTarget.Item;
import touchline.testing.fuzz.FuzzTarget;

/**
 * Request targets of the playback port, and the values of its conditional and range headers: what
 * is recognised has one address, and numbers are in range.
 */
public final class RequestTargetFuzzTarget implements FuzzTarget {
    private static final long SIZE_BYTES = 1_000_000;

    @Override
    public String name() {
        return "request-target";
    }

    @Override
    public List<byte[]> seeds() {
        return List.of(
                seed("/id.m3u8?token=a.b.c&dvr=1"),
                seed("/id/ses/media.m3u8?_HLS_msn=12&_HLS_part=3&_HLS_skip=YES"),
                seed("/id/~grant/ses/s12.3.m4s"),
                seed("/id/ses/s12.m4s"),
                seed("/id/ses/init0.mp4?x=%2f&_HLS_msn=9223372036854775807"),
                seed("http://host:1/id/thumbnail.jpg?time=1.5&width=320"),
                seed("/%69d/capped-1080p.mp4?download=%c3%a9+a.mp4&token=%zz"),
                seed("/frames/abc.jpg?exp=1700000000&sig=AAAA"),
                seed("bytes=0-499"),
                seed("bytes=-500"),
                seed("bytes=999999-"),
                seed("gzip;q=0.5, *;q=0, br"),
                seed("W/\"ses.s1\", \"ses.s1\", *"));
    }

    private static byte[] seed(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    @Override
    public void read(byte[] input) {
        String text = new String(input, StandardCharsets.ISO_8859_1);
        PlaybackTarget.parse(text).ifPresent(RequestTargetFuzzTarget::target);
        FrameRequest.parse(text)
                .ifPresent(
                        frame -> require(frame.name().matches("[A-Za-z0-9]{1,64}"), "frame name"));
        try {
            query(PlaybackQuery.parse(text));
        } catch (BadQueryException expected) {
            require(!expected.reason().isEmpty(), "a reason");
        }
        if (ByteRange.parse(text, SIZE_BYTES) instanceof ByteRange.Slice(long first, long last)) {
            require(first >= 0 && first <= last && last < SIZE_BYTES, "range " + first + last);
        }
        headers(text);
    }

    private static void headers(String text) {
        HttpHeaders headers =
                DefaultHttpHeadersFactory.headersFactory().withValidation(false).newHeaders();
        headers.set("If-None-Match", text).set("Accept-Encoding", text).set("Range", text);
        boolean named = text.contains("\"ses.s1\"") || text.contains("*");
        require(named || !Preconditions.isNotModified(headers, "\"ses.s1\""), "not modified");
        Preconditions.acceptsGzip(headers);
        Preconditions.range(headers, "\"ses.s1\"", SIZE_BYTES);
    }

    /** Written by hand, and read again as the same. */
    private static void target(PlaybackTarget target) {
        String id = target.playbackId();
        String below = "/" + id + target.grant().map(grant -> "/~" + grant).orElse("") + "/";
        String address = address(id, below, target.item());
        require(address.matches("[A-Za-z0-9/._~-]+"), address);
        require(!address.contains("/../") && !address.contains("/./"), address);
        PlaybackTarget again = PlaybackTarget.parse(address).orElseThrow();
        require(again.equals(target), "read again: " + again + ", was: " + target);
    }

    private static String address(String id, String below, Item item) {
        return switch (item) {
            case Item.Multivariant() -> "/" + id + ".m3u8";
            case Item.Chapters() -> below + "chapters.vtt";
            case Item.Mp4() -> below + "capped-1080p.mp4";
            case Item.Thumbnail() -> below + "thumbnail.jpg";
            case Item.MediaPlaylist(String session) -> below + session + "/media.m3u8";
            case Item.InitSegment(String session, int number) ->
                    below + session + "/init" + number + ".mp4";
            case Item.Segment(String session, long msn) -> below + session + "/s" + msn + ".m4s";
            case Item.Part(String session, long msn, int part) ->
                    below + session + "/s" + msn + "." + part + ".m4s";
            case Item.RunInit(String session, int number, long run) ->
                    below + session + "/init" + number + "." + run + ".mp4";
            case Item.OfRendition(String session, String name, Item of) -> {
                String inner = address(id, below, of);
                int at = below.length() + session.length();
                yield inner.substring(0, at) + "/" + name + inner.substring(at);
            }
        };
    }

    private static void query(PlaybackQuery query) {
        require(query.mediaSequence().orElse(0) >= 0, "_HLS_msn");
        require(query.mediaSequence().orElse(0) <= Long.MAX_VALUE / 2, "_HLS_msn");
        require(query.part().orElse(0) >= 0, "_HLS_part");
        require(query.part().isEmpty() || query.mediaSequence().isPresent(), "part alone");
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise);
        }
    }
}
