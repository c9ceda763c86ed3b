package touchline.packager.hls;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import touchline.media.hub.FeedReader;
import touchline.packager.hls.MultivariantPlaylist.Variant;

/**
 * The renditions of one live window, its source. Each has a window of its own whose segments and
 * parts have the source's numbers, times and audio, and so its playlists list the same (RFC 8216,
 * 6.2.4). A rendition never delays the source: its own threads follow what the source has
 * published. Any thread; no call waits.
 *
 * <p>Made before the source's {@link HlsPackager} runs. Ends, stays open and closes with the
 * source's window.
 */
public final class LiveRenditions {
    /** An element of addresses that is no file name. */
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_-]{0,31}");

    private final LiveWindow source;
    private final MediaMemory memory;
    private final RenditionStorage storage;
    private final Map<String, RenditionFollower> followers = new ConcurrentHashMap<>();
    private final ReentrantLock lock = new ReentrantLock();

    /** Newest one of the source. */
    @GuardedBy("lock")
    private SourceEvent.@Nullable Init init;

    @GuardedBy("lock")
    private boolean leftOpen;

    @GuardedBy("lock")
    private boolean ended;

    /** Media stays in memory. */
    public LiveRenditions(LiveWindow source, MediaMemory memory) {
        this(source, memory, RenditionStorage.NONE);
    }

    /**
     * @param source before its packager runs
     * @param memory holds parts and playlists
     * @param storage keeps all but the newest segments
     */
    public LiveRenditions(LiveWindow source, MediaMemory memory, RenditionStorage storage) {
        this.source = source;
        this.memory = memory;
        this.storage = storage;
        source.source(this);
        source.playlists().reporting(() -> reports(null));
    }

    /**
     * Begins to package a rendition with the source's next segment. One that runs under this name
     * is dropped. After the end of the session the units are closed.
     *
     * @param name e.g. {@code 480p}: letters, digits, {@code -} and {@code _}
     * @param units its feed, taken over: timelines with the {@code startedAt} of the source's, of
     *     one video track; decode times of the source's, or of a subset of them; a key frame at
     *     each of the source's
     */
    public void start(String name, FeedReader units) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("name: " + name + " (expected: " + NAME + ")");
        }
        RenditionFollower before;
        lock.lock();
        try {
            if (ended) {
                units.close();
                return;
            }
            RenditionFollower made = new RenditionFollower(name, this, source, units);
            if (leftOpen) {
                made.leaveOpen();
            }
            if (init != null) {
                made.offer(init);
            }
            before = followers.put(name, made);
            made.start();
        } finally {
            lock.unlock();
        }
        if (before != null) {
            before.close();
        }
    }

    /**
     * Its playlists leave the multivariant playlist and answer 404 at once; requests that wait are
     * answered. Idempotent.
     */
    public void drop(String name) {
        RenditionFollower dropped = followers.remove(name);
        if (dropped != null) {
            dropped.close();
        }
    }

    /** All that were started and not dropped, in falling height. */
    public List<RenditionInfo> list() {
        return followers.values().stream()
                .map(RenditionFollower::info)
                .sorted(
                        Comparator.comparingInt(RenditionInfo::height)
                                .reversed()
                                .thenComparing(RenditionInfo::name))
                .toList();
    }

    /** Called by the source's packager. */
    void publish(SourceEvent event) {
        lock.lock();
        try {
            if (event instanceof SourceEvent.Init next) {
                init = next;
            }
            ended |= event instanceof SourceEvent.End;
            followers.values().forEach(each -> each.offer(event));
        } finally {
            lock.unlock();
        }
    }

    /** The end of the session does not end the playlists. */
    void leaveOpen() {
        lock.lock();
        try {
            leftOpen = true;
            followers.values().forEach(RenditionFollower::leaveOpen);
        } finally {
            lock.unlock();
        }
    }

    /** The window of a rendition, if viewers see it. */
    Optional<LivePlayback> playback(String name) {
        RenditionFollower follower = followers.get(name);
        return follower == null ? Optional.empty() : Optional.ofNullable(follower.window());
    }

    /**
     * The multivariant playlist: the source first, then what viewers see of the renditions, in
     * falling height. Empty during the source's first segment while a rendition is about to appear:
     * players read this playlist once, and would have the source alone from then on.
     *
     * @param prefix of addresses, with the session
     */
    Optional<String> multivariant(String prefix) {
        return isFirstSegment()
                        && followers.values().stream().anyMatch(RenditionFollower::isStarting)
                ? Optional.empty()
                : multivariantNow(prefix);
    }

    private boolean isFirstSegment() {
        long first = source.settings().firstMediaSequence();
        return source.playlists().end().map(end -> end.mediaSequence() == first).orElse(false);
    }

    private Optional<String> multivariantNow(String prefix) {
        return source.playlists()
                .variant()
                .map(
                        best -> {
                            List<Variant> all = new ArrayList<>();
                            all.add(new Variant(best, prefix + "/media.m3u8"));
                            all.addAll(variants(prefix));
                            return MultivariantPlaylist.text(all);
                        });
    }

    private List<Variant> variants(String prefix) {
        List<Variant> variants = new ArrayList<>();
        for (RenditionFollower each : followers.values()) {
            LiveWindow window = each.window();
            if (window != null) {
                window.playlists()
                        .variant()
                        .map(v -> new Variant(v, prefix + '/' + each.name() + "/media.m3u8"))
                        .ifPresent(variants::add);
            }
        }
        variants.sort(Comparator.comparingInt(LiveRenditions::height).reversed());
        return variants;
    }

    private static int height(Variant variant) {
        return variant.media().format().map(format -> format.height()).orElse(0);
    }

    /**
     * EXT-X-RENDITION-REPORT lines (draft-pantos-hls-rfc8216bis-20, 4.4.5.4) of all but one; where
     * parts are listed.
     *
     * @param except the rendition whose playlist gets them; null for the source's
     */
    private String reports(@Nullable String except) {
        if (!source.settings().profile().listsParts() || followers.isEmpty()) {
            return "";
        }
        StringBuilder out = new StringBuilder();
        if (except != null) {
            source.playlists().end().ifPresent(end -> append(out, "../media.m3u8", end));
        }
        String base = except == null ? "" : "../";
        for (RenditionInfo each : list()) {
            RenditionFollower follower = followers.get(each.name());
            LiveWindow window = follower == null ? null : follower.window();
            if (window != null && !each.name().equals(except)) {
                window.playlists()
                        .end()
                        .ifPresent(end -> append(out, base + each.name() + "/media.m3u8", end));
            }
        }
        return out.toString();
    }

    private static void append(StringBuilder out, String uri, PlaylistEnd end) {
        out.append("#EXT-X-RENDITION-REPORT:URI=\"").append(uri);
        out.append("\",LAST-MSN=").append(end.mediaSequence());
        out.append(",LAST-PART=").append(end.part()).append('\n');
    }

    MediaMemory memory() {
        return memory;
    }

    RenditionStorage storage() {
        return storage;
    }

    /**
     * A window for a rendition.
     *
     * @param firstMediaSequence number of its first segment
     */
    LiveWindow window(String name, long firstMediaSequence) {
        LiveWindow.Settings of = source.settings();
        LiveWindow made =
                new LiveWindow(
                        new LiveWindow.Settings(
                                of.session(),
                                of.profile(),
                                of.window(),
                                firstMediaSequence,
                                /* recorded= */ false,
                                of.composited()),
                        memory);
        made.playlists().ofRendition();
        made.playlists().reporting(() -> reports(name));
        return made;
    }

    /** Waits until what the source has published is packaged, or the time is over. */
    boolean awaitIdle(Duration atMost) throws InterruptedException {
        boolean idle = true;
        for (RenditionFollower each : followers.values()) {
            idle &= each.awaitIdle(atMost);
        }
        return idle;
    }

    /** Everything answers 404 from now on. */
    void close() {
        lock.lock();
        try {
            ended = true;
        } finally {
            lock.unlock();
        }
        followers.values().forEach(RenditionFollower::close);
    }
}
