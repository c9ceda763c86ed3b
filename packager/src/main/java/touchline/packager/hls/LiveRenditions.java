package touchline.packager.hls;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import touchline.media.hub.Feed;
import touchline.media.hub.FeedReader;
import touchline.media.hub.TrackLabel;

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

    /** Behind the name of a rendition: its frames, without the source's audio. */
    static final String FRAMES_ALONE = "-video";

    static final String SOURCE_FRAMES = "source" + FRAMES_ALONE;
    static final String SOURCE_AUDIO = "audio-0";

    private final LiveWindow source;
    private final MediaMemory memory;
    private final RenditionStorage storage;
    private final RenditionPlaylists playlists;
    private final Map<String, RenditionFollower> followers = new ConcurrentHashMap<>();
    private final ReentrantLock lock = new ReentrantLock();

    private volatile boolean audioSeparate;

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
        this.playlists = new RenditionPlaylists(source, followers);
        source.source(this);
        source.playlists().reporting(() -> playlists.reports(null));
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
        start(name, units, new RenditionUnits());
    }

    /**
     * Begins to package an audio rendition, likewise. Viewers see it once it has a {@link #label}.
     * From the next segment on frames and audio of the source and of all renditions are packaged
     * separately too: players do not change the audio of segments that have both.
     *
     * @param name {@code audio-} and a number other than 0
     * @param units its feed, taken over: timelines with the {@code startedAt} of the source's, of
     *     one audio track
     */
    public void startAudio(String name, FeedReader units) {
        separateAudio();
        start(name, units, new AudioUnits());
    }

    private void separateAudio() {
        lock.lock();
        try {
            if (audioSeparate) {
                return;
            }
            audioSeparate = true;
        } finally {
            lock.unlock();
        }
        start(SOURCE_FRAMES, ended(), new SourceTrack(/* video= */ true));
        start(SOURCE_AUDIO, ended(), new SourceTrack(/* video= */ false));
    }

    private static FeedReader ended() {
        Feed empty = new Feed();
        empty.end();
        return empty.subscribe("source", 1);
    }

    /** Whether frames and audio are packaged separately too. */
    boolean isAudioSeparate() {
        return audioSeparate;
    }

    /**
     * What viewers are shown of an audio rendition.
     *
     * @param label with a name that no other has
     */
    public void label(String name, TrackLabel label) {
        playlists.label(name, label);
    }

    /** What viewers are shown of the source's own audio. */
    public void sourceAudio(TrackLabel label) {
        playlists.label(SOURCE_AUDIO, label);
    }

    private void start(String name, FeedReader units, RenditionMedia media) {
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
            RenditionFollower made = new RenditionFollower(name, this, source, units, media);
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

    /** Whether there are any. */
    boolean isFollowed() {
        return !followers.isEmpty();
    }

    /** All that were started and not dropped, in falling height, audio last. */
    public List<RenditionInfo> list() {
        return followers.values().stream()
                .filter(each -> !each.isOfSource())
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
        if (follower != null) {
            return Optional.ofNullable(follower.window());
        }
        return name.endsWith(FRAMES_ALONE)
                ? Optional.ofNullable(
                                followers.get(
                                        name.substring(0, name.length() - FRAMES_ALONE.length())))
                        .map(each -> each.window(/* framesAlone= */ true))
                : Optional.empty();
    }

    /**
     * See {@link RenditionPlaylists#multivariant}. Empty during the source's first segment while a
     * rendition is about to appear: players read this playlist once, and would have the source
     * alone from then on.
     */
    Optional<String> multivariant(String prefix) {
        return isFirstSegment()
                        && followers.values().stream().anyMatch(RenditionFollower::isStarting)
                ? Optional.empty()
                : playlists.multivariant(prefix);
    }

    private boolean isFirstSegment() {
        long first = source.settings().firstMediaSequence();
        return source.playlists().end().map(end -> end.mediaSequence() == first).orElse(false);
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
        made.playlists().numberedLike(source.playlists());
        if (firstMediaSequence == of.firstMediaSequence()) {
            made.playlists().startsWith(source.playlists());
        }
        made.playlists().reporting(() -> playlists.reports(name));
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
