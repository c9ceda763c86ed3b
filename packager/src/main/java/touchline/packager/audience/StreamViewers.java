package touchline.packager.audience;

import java.net.InetAddress;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;

/** Viewer sessions of one live stream. Any thread. */
public final class StreamViewers {
    /** Further ones are not counted. */
    static final int MAX_SESSIONS = 65_536;

    private final Audience audience;
    private final int maxSessions;
    private final ConcurrentHashMap<Long, ViewerSession> sessions = new ConcurrentHashMap<>();
    private final PlaybackQuality quality = new PlaybackQuality();

    /** Volatile: the clock's thread writes them, any thread reads them. */
    private volatile int now;

    private volatile int most;

    /**
     * @param maxSessions further ones are not counted
     */
    StreamViewers(Audience audience, int maxSessions) {
        this.audience = audience;
        this.maxSessions = maxSessions;
    }

    /** The clock of the sessions, {@link Audience#seconds}. */
    int seconds() {
        return audience.seconds();
    }

    /** Players within the window, counted within the last second. */
    public int now() {
        return now;
    }

    /** Identifies the player that a report names, as long as this process runs. */
    public long keyOf(CmcdReader report) {
        return audience.keyOf(report.sid());
    }

    /**
     * The session of a player that asks for media.
     *
     * @param key from {@link #keyOf}
     * @param address whose share of sessions it takes
     * @return one that is not counted where there are too many
     */
    public ViewerSession bySid(long key, InetAddress address) {
        ViewerSession session = session(key, address, /* bySid= */ true);
        session.asked();
        return session;
    }

    /**
     * The session of an address and user agent that asks for media.
     *
     * @return one that is not counted where there are too many
     */
    public ViewerSession byAddress(InetAddress address, String userAgent) {
        ViewerSession session =
                session(audience.keyOf(address, userAgent), address, /* bySid= */ false);
        session.asked();
        return session;
    }

    /** The player of this report requests the multivariant playlist: its start begins. */
    public void began(CmcdReader report, InetAddress address) {
        session(keyOf(report), address, /* bySid= */ true).began(audience.nowMs());
    }

    void reported(CmcdReader report) {
        audience.reported(report);
    }

    PlaybackQuality quality() {
        return quality;
    }

    long nowMs() {
        return audience.nowMs();
    }

    private ViewerSession session(long key, InetAddress address, boolean bySid) {
        ViewerSession known = sessions.get(key);
        if (known != null && !known.isGone()) {
            return known;
        }
        OptionalLong share =
                sessions.mappingCount() < maxSessions
                        ? audience.admit(address)
                        : OptionalLong.empty();
        if (share.isEmpty()) {
            audience.notCounted();
            return ViewerSession.notCounted(this, bySid);
        }
        ViewerSession made = new ViewerSession(this, bySid, share.getAsLong());
        ViewerSession kept =
                sessions.compute(
                        key, (_, before) -> before != null && !before.isGone() ? before : made);
        if (kept == made) {
            audience.begun(bySid);
        } else {
            audience.release(share.getAsLong());
        }
        return kept;
    }

    /** Counts anew, and removes sessions without requests. The clock's thread only. */
    int count(int nowSeconds) {
        int players = 0;
        for (Map.Entry<Long, ViewerSession> each : sessions.entrySet()) {
            ViewerSession session = each.getValue();
            if (session.isFresh(nowSeconds)) {
                players += session.players(nowSeconds);
            } else {
                session.leave(quality);
                sessions.remove(each.getKey(), session);
                audience.release(session.subscriber());
            }
        }
        now = players;
        most = Math.max(most, players);
        return players;
    }

    /** The most players at one time in this minute. */
    int most() {
        return most;
    }

    /**
     * @param isOver whether another minute begins; the clock's thread only
     */
    MinuteFigures figures(boolean isOver) {
        sessions.values().forEach(session -> session.collect(quality));
        int[] kbps =
                sessions.values().stream()
                        .mapToInt(ViewerSession::kbps)
                        .filter(each -> each > 0)
                        .toArray();
        if (isOver) {
            most = now;
        }
        return quality.figures(kbps, isOver);
    }

    boolean isEmpty() {
        return sessions.isEmpty();
    }

    int sessions() {
        return sessions.size();
    }
}
