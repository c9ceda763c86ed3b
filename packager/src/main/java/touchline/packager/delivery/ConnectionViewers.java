package touchline.packager.delivery;

import io.netty.channel.Channel;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.util.AsciiString;
import io.netty.util.concurrent.FastThreadLocal;
import org.jspecify.annotations.Nullable;
import touchline.packager.audience.CmcdReader;
import touchline.packager.audience.StreamViewers;
import touchline.packager.audience.ViewerSession;
import touchline.packager.delivery.PlaybackTarget.Item;
import touchline.packager.hls.LivePlayback;

/**
 * Finds the viewer session of each request of one connection. The session of the request before is
 * the first guess, so that most requests look nothing up. Event loop only.
 */
final class ConnectionViewers {
    private static final AsciiString SESSION = AsciiString.cached("cmcd-session");
    private static final AsciiString OBJECT = AsciiString.cached("cmcd-object");
    private static final AsciiString REQUEST = AsciiString.cached("cmcd-request");
    private static final AsciiString STATUS = AsciiString.cached("cmcd-status");

    private static final FastThreadLocal<CmcdReader> READERS =
            new FastThreadLocal<>() {
                @Override
                protected CmcdReader initialValue() {
                    return new CmcdReader();
                }
            };

    /** Segments sent last: a player that requests one again is not a second player. */
    private static final int KNOWN_MEDIA = 4;

    /** Odd, from the golden ratio: spreads numbers over all 64 bits. */
    private static final long SPREAD = 0x9e37_79b9_7f4a_7c15L;

    private final Channel channel;
    private final ViewerAddress addresses;
    private final boolean isDirect;

    private @Nullable StreamViewers stream;
    private @Nullable ViewerSession byAddress;
    private @Nullable ViewerSession bySid;
    private long sidKey;

    private long @Nullable [] known;
    private int knownAt;

    ConnectionViewers(Channel channel, ViewerAddress addresses) {
        this.channel = channel;
        this.addresses = addresses;
        isDirect = addresses.isDirect(channel);
    }

    /** A player may begin here: it requests the multivariant playlist and reports. */
    void began(HlsExchange exchange, StreamViewers of) {
        if (exchange.isHead()) {
            return;
        }
        CmcdReader report = report(exchange, /* isMedia= */ false);
        if (report != null) {
            of.began(report, addresses.of(channel, exchange.headers()));
        }
    }

    /** The session of a request for media. Null for one that reads no media. */
    @Nullable ViewerSession asked(HlsExchange exchange, StreamViewers of) {
        if (exchange.isHead()) {
            return null;
        }
        if (stream != of) {
            stream = of;
            byAddress = null;
            bySid = null;
        }
        boolean isMedia = isMedia(exchange.target().item());
        CmcdReader report = report(exchange, isMedia);
        if (report == null) {
            return byAddress(exchange, of);
        }
        ViewerSession session = bySid(exchange, of, of.keyOf(report));
        if (isMedia) {
            session.reported(report);
        }
        return session;
    }

    private ViewerSession bySid(HlsExchange exchange, StreamViewers of, long key) {
        ViewerSession last = bySid;
        if (last != null && key == sidKey && last.asked()) {
            return last;
        }
        ViewerSession found = of.bySid(key, addresses.of(channel, exchange.headers()));
        bySid = found;
        sidKey = key;
        return found;
    }

    /** Behind a proxy each request may come from another viewer. */
    private ViewerSession byAddress(HlsExchange exchange, StreamViewers of) {
        ViewerSession last = byAddress;
        if (isDirect && last != null && last.asked()) {
            return last;
        }
        String userAgent = exchange.headers().get(HttpHeaderNames.USER_AGENT);
        ViewerSession found =
                of.byAddress(
                        addresses.of(channel, exchange.headers()),
                        userAgent == null ? "" : userAgent);
        byAddress = found;
        return found;
    }

    /** What the player reports; null where it names no session. */
    private static @Nullable CmcdReader report(HlsExchange exchange, boolean isMedia) {
        CmcdReader reader;
        if (exchange.query().cmcd().isPresent()) {
            reader = READERS.get();
            reader.clear();
            reader.readQuery(exchange.query().cmcd().get());
        } else {
            HttpHeaders headers = exchange.headers();
            String session = headers.get(SESSION);
            if (session == null) {
                return null;
            }
            reader = READERS.get();
            reader.clear();
            reader.readHeader(session);
            if (isMedia) {
                read(reader, headers.get(OBJECT));
                read(reader, headers.get(REQUEST));
                read(reader, headers.get(STATUS));
            }
        }
        return reader.hasSid() ? reader : null;
    }

    private static void read(CmcdReader reader, @Nullable String header) {
        if (header != null) {
            reader.readHeader(header);
        }
    }

    /** The body of a segment or part is about to be sent. */
    void sent(HlsExchange exchange, ViewerSession session) {
        if (session.isOnePlayer()) {
            return;
        }
        long media = media(exchange.target().item());
        if (media == 0 || (isDirect && !isNew(media))) {
            return;
        }
        // Ranges of one segment may come over several connections of one player.
        if (!exchange.headers().contains(HttpHeaderNames.RANGE)) {
            session.sent(media);
        }
    }

    private boolean isNew(long media) {
        long[] last = known;
        if (last == null) {
            last = new long[KNOWN_MEDIA];
            known = last;
        }
        for (long each : last) {
            if (each == media) {
                return false;
            }
        }
        last[knownAt++ & (KNOWN_MEDIA - 1)] = media;
        return true;
    }

    private static boolean isMedia(Item item) {
        return switch (item) {
            case Item.Segment _, Item.Part _ -> true;
            case Item.OfRendition(_, _, Item of) -> isMedia(of);
            default -> false;
        };
    }

    /**
     * A hash of the name of a segment, or of its first part; 0 for anything else. The session is
     * left out: numbers of a stream never come again.
     */
    private static long media(Item item) {
        return switch (item) {
            case Item.Segment segment -> spread(segment.mediaSequence() << 1);
            case Item.Part part ->
                    part.part() <= LivePlayback.FIRST_PART_BEHIND_DISCONTINUITY
                            ? spread(part.mediaSequence() << 1 | 1) + part.part()
                            : 0;
            case Item.OfRendition(_, String name, Item of) -> {
                long media = media(of);
                yield media == 0 ? 0 : spread(media + name.hashCode());
            }
            default -> 0;
        };
    }

    private static long spread(long number) {
        long mixed = (number + SPREAD) * SPREAD;
        return (mixed ^ mixed >>> 32) * SPREAD;
    }
}
