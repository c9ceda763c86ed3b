package touchline.packager.audience;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.media.StreamId;

/**
 * Counts the viewers of all live streams. A viewer session is a player that has asked for media
 * within the last {@value #WINDOW_SECONDS} s. Any thread; {@link #tick} from one.
 *
 * <p>Limits: {@value #MAX_SESSIONS} sessions in all, {@value StreamViewers#MAX_SESSIONS} of a
 * stream, and for each address as many as it may have connections. No address is kept, only hashes
 * under keys that exist in this process; the one for addresses changes daily.
 */
public final class Audience {
    /** A session without a request for media ends after this time. */
    public static final int WINDOW_SECONDS = 30;

    /** Sessions of all streams; further ones are not counted. */
    static final int MAX_SESSIONS = 131_072;

    /** Minutes that wait for {@link #finished}; the oldest are dropped. */
    private static final int MAX_FINISHED = 100_000;

    /** Of a user agent; the rest is ignored. */
    private static final int MAX_AGENT_CHARACTERS = 512;

    private static final int NETWORK_BITS = 64;
    private static final Logger LOG = LoggerFactory.getLogger(Audience.class);

    private final Limits limits;
    private final LongSupplier nanoTime;
    private final InstantSource clock;
    private final long originNs;
    private final SipHash sidHash = SipHash.random();
    private final SipHash subscriberHash = SipHash.random();
    private final AudienceCounters counters = new AudienceCounters();
    private final ConcurrentHashMap<StreamId, Shown> streams = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<Long, Integer> bySubscriber = new ConcurrentHashMap<>();
    private final AtomicInteger sessions = new AtomicInteger();

    /** Volatile: {@link #tick} writes them, any thread reads them. */
    private volatile int seconds;

    private volatile int now;
    private volatile SipHash addressHash = SipHash.random();

    private final Object minutes = new Object();

    @GuardedBy("minutes")
    private Instant day;

    @GuardedBy("minutes")
    private Instant minute;

    @GuardedBy("minutes")
    private int most;

    @GuardedBy("minutes")
    private final Queue<ViewerMinute> finished = new ArrayDeque<>();

    /**
     * How many sessions are counted.
     *
     * @param sessions of all streams
     * @param ofStream of one stream
     * @param perAddress of one address (IPv6: network of 64 bits) over all streams; 0 = no limit
     * @param shared addresses of many viewers, such as trusted proxies: no limit
     */
    public record Limits(
            int sessions, int ofStream, IntSupplier perAddress, Predicate<InetAddress> shared) {
        public Limits(IntSupplier perAddress, Predicate<InetAddress> shared) {
            this(MAX_SESSIONS, StreamViewers.MAX_SESSIONS, perAddress, shared);
        }
    }

    /**
     * @param isOpen its ids are served; else it is kept until its last session has ended
     */
    private record Shown(StreamViewers viewers, boolean isOpen) {}

    /**
     * @param nanoTime a monotonic clock
     */
    public Audience(Limits limits, LongSupplier nanoTime, InstantSource clock) {
        this.limits = limits;
        this.nanoTime = nanoTime;
        this.clock = clock;
        originNs = nanoTime.getAsLong();
        Instant start = clock.instant();
        minute = start.truncatedTo(ChronoUnit.MINUTES);
        day = start.truncatedTo(ChronoUnit.DAYS);
    }

    /** A stream is shown from now on: its sessions are counted. */
    public StreamViewers open(StreamId stream) {
        return streams.compute(
                        stream,
                        (_, before) ->
                                new Shown(
                                        before == null
                                                ? new StreamViewers(this, limits.ofStream())
                                                : before.viewers(),
                                        /* isOpen= */ true))
                .viewers();
    }

    /** A stream is no longer shown: its sessions run out. */
    public void close(StreamId stream) {
        streams.computeIfPresent(
                stream, (_, shown) -> new Shown(shown.viewers(), /* isOpen= */ false));
    }

    /** Players of all streams, counted within the last second. */
    public int now() {
        return now;
    }

    /** Players of a stream, counted within the last second. */
    public int now(StreamId stream) {
        Shown shown = streams.get(stream);
        return shown == null ? 0 : shown.viewers().now();
    }

    /** Streams with players, with their numbers. */
    public Map<StreamId, Integer> nowByStream() {
        Map<StreamId, Integer> all = new ConcurrentHashMap<>();
        streams.forEach(
                (stream, shown) -> {
                    int players = shown.viewers().now();
                    if (players > 0) {
                        all.put(stream, players);
                    }
                });
        return all;
    }

    public AudienceCounters counters() {
        return counters;
    }

    /** Called once a second: moves the clock, counts, and finishes minutes. Never throws. */
    public void tick() {
        try {
            seconds = (int) TimeUnit.MILLISECONDS.toSeconds(nowMs());
            Instant at = clock.instant();
            synchronized (minutes) {
                if (!at.truncatedTo(ChronoUnit.DAYS).equals(day)) {
                    day = at.truncatedTo(ChronoUnit.DAYS);
                    addressHash = SipHash.random();
                }
                Instant current = at.truncatedTo(ChronoUnit.MINUTES);
                if (!current.equals(minute)) {
                    finish();
                    minute = current;
                }
                count();
            }
        } catch (RuntimeException e) {
            LOG.error("viewers could not be counted", e);
        }
    }

    @GuardedBy("minutes")
    private void count() {
        int players = 0;
        for (StreamId stream : streams.keySet()) {
            Shown shown = streams.get(stream);
            if (shown != null) {
                players += shown.viewers().count(seconds);
                streams.computeIfPresent(
                        stream,
                        (_, last) -> last.isOpen() || !last.viewers().isEmpty() ? last : null);
            }
        }
        now = players;
        most = Math.max(most, players);
    }

    @GuardedBy("minutes")
    private void finish() {
        running(/* isOver= */ true).forEach(finished::add);
        most = now;
        while (finished.size() > MAX_FINISHED) {
            finished.remove();
        }
    }

    @GuardedBy("minutes")
    private List<ViewerMinute> running(boolean isOver) {
        List<ViewerMinute> all = new ArrayList<>();
        List<MinuteFigures> parts = new ArrayList<>();
        streams.forEach(
                (stream, shown) -> {
                    int viewers = shown.viewers().most();
                    MinuteFigures figures = shown.viewers().figures(isOver);
                    if (viewers > 0) {
                        parts.add(figures);
                        all.add(figures.minute(Optional.of(stream), minute, viewers));
                    }
                });
        if (most > 0) {
            all.add(MinuteFigures.sum(parts).minute(Optional.empty(), minute, most));
        }
        return all;
    }

    /** Minutes that are over, once; those without viewers are left out. */
    public List<ViewerMinute> finished() {
        synchronized (minutes) {
            List<ViewerMinute> all = List.copyOf(finished);
            finished.clear();
            return all;
        }
    }

    /** The minute that runs, as {@link #finished} would return it now. */
    public List<ViewerMinute> running() {
        synchronized (minutes) {
            return running(/* isOver= */ false);
        }
    }

    /** Ends the minute that runs, for the end of the server. */
    public List<ViewerMinute> last() {
        synchronized (minutes) {
            finish();
        }
        return finished();
    }

    /** Seconds since the start, moved by {@link #tick}: a request reads no clock. */
    int seconds() {
        return seconds;
    }

    long nowMs() {
        return TimeUnit.NANOSECONDS.toMillis(nanoTime.getAsLong() - originNs);
    }

    long keyOf(CharSequence sid) {
        return sidHash.hash(0, 0, sid, 0, sid.length());
    }

    long keyOf(InetAddress address, String userAgent) {
        byte[] bytes = address.getAddress();
        return addressHash.hash(
                high(bytes),
                low(bytes),
                userAgent,
                0,
                Math.min(userAgent.length(), MAX_AGENT_CHARACTERS));
    }

    /**
     * Takes a session from the share of an address.
     *
     * @return what {@link #release} is given; empty where there are too many
     */
    OptionalLong admit(InetAddress address) {
        if (sessions.incrementAndGet() > limits.sessions()) {
            sessions.decrementAndGet();
            return OptionalLong.empty();
        }
        if (limits.shared().test(address)) {
            return OptionalLong.of(0);
        }
        byte[] bytes = address.getAddress();
        // One IPv6 subscriber has a network of 64 bits, all of whose addresses are its own.
        long low = bytes.length * Byte.SIZE > NETWORK_BITS ? 0 : low(bytes);
        long subscriber = subscriberHash.hash(high(bytes), low, "", 0, 0) | 1;
        int ofSubscriber = bySubscriber.merge(subscriber, 1, Integer::sum);
        int limit = limits.perAddress().getAsInt();
        if (limit > 0 && ofSubscriber > limit) {
            release(subscriber);
            return OptionalLong.empty();
        }
        return OptionalLong.of(subscriber);
    }

    void release(long subscriber) {
        sessions.decrementAndGet();
        if (subscriber != 0) {
            bySubscriber.computeIfPresent(subscriber, (_, count) -> count == 1 ? null : count - 1);
        }
    }

    void begun(boolean bySid) {
        counters.begin(bySid);
    }

    void notCounted() {
        counters.refuse();
    }

    void reported(CmcdReader report) {
        counters.report(report.isStarved());
    }

    /** The first half of an IPv6 address; 0 for IPv4. */
    private static long high(byte[] address) {
        return address.length == 16 ? ByteBuffer.wrap(address).getLong() : 0;
    }

    private static long low(byte[] address) {
        return address.length == 16
                ? ByteBuffer.wrap(address).getLong(8)
                : ByteBuffer.wrap(address).getInt();
    }
}
