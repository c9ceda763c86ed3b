package touchline.packager.record;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import touchline.media.CodecConfig;
import touchline.media.SessionId;
import touchline.media.codec.MalformedMediaException;
import touchline.packager.hls.FrameSource;
import touchline.packager.hls.LivePlayback;
import touchline.packager.hls.MediaBody;
import touchline.packager.hls.RenderedPlaylist;
import touchline.packager.hls.VodPlaylist;
import touchline.packager.isobmff.InitReader;
import touchline.packager.isobmff.SampleEntryReader;

/**
 * Serves a recording after its session under the same names, from its files. About 200 bytes of
 * memory per segment. Any thread.
 */
public final class StoredPlayback implements LivePlayback {
    private final SessionId name;
    private final VodPlaylist playlist;
    private final RenderedPlaylist media;
    private final List<CodecConfig> codecs;
    private final int shorterSide;
    private final Map<Integer, MediaBody.FileRange> inits;
    private final Map<Long, MediaBody.FileRange> segments;

    /** Their parts are numbered from 1, as in the live playlists. */
    private final Set<Long> behindDiscontinuity;

    private final StoredFiles files;

    /** Parts of segments from which a part was requested. */
    private final ConcurrentHashMap<Long, List<MediaBody.FileRange>> parts =
            new ConcurrentHashMap<>();

    /** Content of the init segments. */
    private record Heads(
            Map<Integer, MediaBody.FileRange> files, List<CodecConfig> codecs, int shorterSide) {}

    private StoredPlayback(
            SessionId name,
            VodPlaylist playlist,
            Heads heads,
            Map<Long, MediaBody.FileRange> segments,
            StoredFiles files) {
        this.name = name;
        this.files = files;
        this.playlist = playlist;
        this.media = playlist.media();
        this.codecs = heads.codecs();
        this.shorterSide = heads.shorterSide();
        this.inits = Map.copyOf(heads.files());
        this.segments = Map.copyOf(segments);
        this.behindDiscontinuity = playlist.behindDiscontinuity();
    }

    /**
     * Reads index and init segments. Blocks.
     *
     * @param name the path element behind the playback id
     * @param folder the recording's
     * @param complete nothing will be added to it
     * @throws MalformedMediaException when there is nothing to show, or a file is not what the
     *     index says
     */
    public static StoredPlayback open(SessionId name, Path folder, boolean complete)
            throws IOException {
        return open(name, folder, complete, StoredFiles.LOCAL);
    }

    /**
     * The same for a recording whose segments may have to be brought back.
     *
     * @param files asked before frames or parts of a segment are read
     */
    public static StoredPlayback open(
            SessionId name, Path folder, boolean complete, StoredFiles files) throws IOException {
        Recording recording = Recording.load(folder);
        if (recording.segments().isEmpty()) {
            throw new MalformedMediaException("recording without segments");
        }
        List<Instant> dates = recording.wallClocks();
        Map<Long, MediaBody.FileRange> places = new HashMap<>();
        List<VodPlaylist.Entry> entries = new ArrayList<>(recording.segments().size());
        for (Recording.Segment segment : recording.segments()) {
            entries.add(entry(segment, dates.get(entries.size()), segment.durationUs()));
            places.put(segment.mediaSequence(), place(segment, folder));
        }
        return new StoredPlayback(
                name, new VodPlaylist(entries, complete), heads(recording, folder), places, files);
    }

    static MediaBody.FileRange place(Recording.Segment segment, Path folder) {
        Recording.Place place = segment.place();
        return new MediaBody.FileRange(
                folder.resolve(segment.fileName()), place.offsetBytes(), place.sizeBytes());
    }

    static VodPlaylist.Entry entry(Recording.Segment segment, Instant date, long durationUs) {
        return new VodPlaylist.Entry(
                segment.mediaSequence(),
                segment.init(),
                segment.startUs(),
                date,
                durationUs,
                segment.place().sizeBytes());
    }

    /** The codecs are those of all segments, frames first, each spelling once. */
    private static Heads heads(Recording recording, Path folder) throws IOException {
        Set<Integer> used = new HashSet<>();
        recording.segments().forEach(segment -> used.add(segment.init()));
        Map<Integer, MediaBody.FileRange> files = new HashMap<>();
        Map<String, CodecConfig> frames = new LinkedHashMap<>();
        Map<String, CodecConfig> audio = new LinkedHashMap<>();
        int shorterSide = 0;
        for (Recording.Init init : recording.inits()) {
            Path file = folder.resolve(init.fileName());
            InitReader read = InitReader.read(file);
            files.put(init.number(), new MediaBody.FileRange(file, 0, Files.size(file)));
            for (InitReader.TrackHead track : read.tracks()) {
                shorterSide = Math.max(shorterSide, Math.min(track.width(), track.height()));
                if (used.contains(init.number())) {
                    CodecConfig codec = SampleEntryReader.codec(track.sampleEntry());
                    (track.video() ? frames : audio).putIfAbsent(codec.rfc6381(), codec);
                }
            }
        }
        List<CodecConfig> codecs = new ArrayList<>(frames.values());
        codecs.addAll(audio.values());
        return new Heads(files, codecs, shorterSide);
    }

    /** The file with a segment. */
    public Optional<Path> file(long mediaSequence) {
        return Optional.ofNullable(segments.get(mediaSequence)).map(MediaBody.FileRange::file);
    }

    /** All files with segments. */
    public Set<Path> files() {
        Set<Path> all = new HashSet<>();
        segments.values().forEach(segment -> all.add(segment.file()));
        return all;
    }

    /** As the playlist says it. */
    public long durationUs() {
        return playlist.segments().stream().mapToLong(VodPlaylist.Entry::durationUs).sum();
    }

    /** Of the largest frames, in pixels; 0 without video. */
    public int shorterSide() {
        return shorterSide;
    }

    /** Codec configurations: each stands behind a discontinuity, but the first. */
    public int configurations() {
        return playlist.behindDiscontinuity().size() + 1;
    }

    /** {@link #shorterSide()} without opening the recording for playback. Blocks. */
    public static int shorterSide(Recording recording, Path folder) throws IOException {
        return heads(recording, folder).shorterSide();
    }

    @Override
    public SessionId session() {
        return name;
    }

    @Override
    public Optional<String> multivariant(String prefix) {
        return Optional.of(playlist.multivariant(codecs, prefix + name + "/media.m3u8"));
    }

    @Override
    public CompletionStage<Optional<RenderedPlaylist>> mediaPlaylist(PlaylistKind kind) {
        return CompletableFuture.completedFuture(Optional.of(media));
    }

    @Override
    public CompletionStage<Boolean> whenAvailable(long mediaSequence, OptionalInt part) {
        return CompletableFuture.completedFuture(segments.containsKey(mediaSequence));
    }

    /**
     * Parts are no longer listed, but players may hold older playlists. Positions of parts are read
     * from the segment's file, on a thread of its own.
     */
    @Override
    public CompletionStage<Boolean> whenPart(long mediaSequence, int part) {
        MediaBody.FileRange segment = segments.get(mediaSequence);
        if (segment == null) {
            return CompletableFuture.completedFuture(false);
        }
        CompletableFuture<Boolean> found = new CompletableFuture<>();
        Thread.ofVirtual()
                .name("parts-" + name)
                .start(
                        () -> {
                            try {
                                files.ensure(List.of(segment.file()));
                                List<MediaBody.FileRange> read = SegmentParts.of(segment);
                                parts.put(mediaSequence, read);
                                found.complete(isIn(index(mediaSequence, part), read));
                            } catch (IOException | RuntimeException e) {
                                found.completeExceptionally(e);
                            }
                        });
        return found;
    }

    @Override
    public Optional<MediaBody> initSegment(int number) {
        return Optional.ofNullable(inits.get(number));
    }

    @Override
    public Optional<MediaBody> segment(long mediaSequence) {
        return Optional.ofNullable(segments.get(mediaSequence));
    }

    /** Present after {@link #whenPart} for the same segment. */
    @Override
    public Optional<MediaBody> part(long mediaSequence, int part) {
        List<MediaBody.FileRange> known = parts.get(mediaSequence);
        int index = index(mediaSequence, part);
        return known == null || !isIn(index, known)
                ? Optional.empty()
                : Optional.of(known.get(index));
    }

    private int index(long mediaSequence, int part) {
        return part
                - (behindDiscontinuity.contains(mediaSequence)
                        ? FIRST_PART_BEHIND_DISCONTINUITY
                        : 0);
    }

    private static boolean isIn(int index, List<MediaBody.FileRange> parts) {
        return index >= 0 && index < parts.size();
    }

    @Override
    public Optional<FrameSource> frames() {
        return Optional.of(new StoredFrames(this, playlist.segments(), files));
    }

    @Override
    public void close() {}
}
