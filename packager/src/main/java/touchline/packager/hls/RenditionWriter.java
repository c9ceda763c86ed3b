package touchline.packager.hls;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.media.CodecConfig;
import touchline.media.Timeline;
import touchline.media.Track;
import touchline.packager.hls.PartSink.FinishedPart;
import touchline.packager.hls.PartSink.SealedSegment;
import touchline.packager.isobmff.Fragment;
import touchline.packager.isobmff.InitSegment;

/**
 * Writes the init segments and parts of one rendition into its window: the source's numbers, times
 * and audio, its own frames; or its own audio alone. The rendition's writing thread.
 */
final class RenditionWriter {
    private static final Logger log = LoggerFactory.getLogger(RenditionWriter.class);

    /** What is written of a rendition. */
    enum Content {
        /** Its frames and the source's audio, or its audio alone. */
        ALL,
        /** Its frames alone. */
        FRAMES,
        /** The source's frames alone; they have their parameter sets already. */
        FRAMES_OF_SOURCE
    }

    private final String name;
    private final MediaMemory memory;
    private final Content content;
    private @Nullable LiveWindow window;
    private @Nullable PartSink sink;
    private Optional<RenditionStorage.Stored> stored = Optional.empty();
    private boolean initIsDue = true;
    private int initNumber;
    private @Nullable CodecConfig videoConfig;
    private boolean configurationChanged;
    private boolean captionsSeen;
    private @Nullable Track track;
    private long fragments;
    private long mediaSequence;
    private int segmentParts;
    private long segmentStartUs;
    private long segmentUs;
    private long segmentBytes;
    private long segmentFrames;

    RenditionWriter(String name, MediaMemory memory, Content content) {
        this.name = name;
        this.memory = memory;
        this.content = content;
    }

    /** Something has been written. */
    boolean isOpen() {
        return window != null;
    }

    void open(LiveWindow opened, Optional<RenditionStorage.Stored> storage) {
        window = opened;
        stored = storage;
        sink = storage.map(RenditionStorage.Stored::sink).orElse(null);
    }

    /** The next part needs a new init segment. */
    void initIsDue() {
        initIsDue = true;
    }

    /** The next part follows a discontinuity. */
    void discontinuity() {
        if (window != null) {
            window.discontinuity();
        }
    }

    /**
     * @param part of the source
     * @param init newest one of the source
     * @param own of the rendition; null where the source has no video
     * @param samples that belong to the part; none where none starts in it
     */
    void write(
            SourceEvent.Part part,
            SourceEvent.Init init,
            @Nullable Track own,
            Optional<Fragment.Run> samples) {
        LiveWindow target = window;
        boolean isAudio = own != null && !own.isVideo();
        List<Fragment.Run> runs = new ArrayList<>(2);
        samples.ifPresent(runs::add);
        if (!isAudio && content == Content.ALL) {
            runs.addAll(part.audio());
        }
        if (target == null || runs.isEmpty()) {
            return;
        }
        if (initIsDue) {
            begin(target, init, own);
        } else if (samples.isPresent() && !samples.get().track().equals(track)) {
            throw new IllegalStateException("its codec configuration changed in a timeline");
        }
        Optional<Fragment.Run> frames = isAudio ? Optional.empty() : samples;
        frames.ifPresent(run -> searchCaptions(target, run));
        if (configurationChanged && content != Content.FRAMES_OF_SOURCE) {
            runs.replaceAll(run -> run.track().isVideo() ? InBandParameterSets.write(run) : run);
        }
        boolean independent =
                samples.isPresent() && samples.get().samples().getFirst().unit().idr();
        long count = frames.map(run -> run.samples().size()).orElse(0);
        add(target, part, independent, new Fragment(++fragments, runs));
        segmentFrames += count;
    }

    private void begin(LiveWindow target, SourceEvent.Init init, @Nullable Track own) {
        List<Track> tracks = tracks(init, own);
        CodecConfig before = videoConfig;
        videoConfig = own == null || !own.isVideo() ? before : own.codec();
        configurationChanged |= before != null && !before.equals(videoConfig);
        track = own;
        Timeline timeline =
                new Timeline(
                        init.timeline().sequence(),
                        tracks,
                        init.timeline().startUs(),
                        init.timeline().startedAt());
        MediaBlock block = memory.copy(InitSegment.write(tracks, init.createdAt()));
        try {
            target.begin(init.number(), timeline, block, init.firstPtsUs());
            initNumber = init.number();
            initIsDue = false;
            toSink(each -> each.initSegment(initNumber, timeline, block));
        } finally {
            block.release();
        }
    }

    private List<Track> tracks(SourceEvent.Init init, @Nullable Track own) {
        if (own != null && (!own.isVideo() || content != Content.ALL)) {
            return List.of(own);
        }
        List<Track> tracks = new ArrayList<>(2);
        for (Track of : init.timeline().tracks()) {
            tracks.add(of.isVideo() && own != null ? own : of);
        }
        return tracks;
    }

    private void add(
            LiveWindow target, SourceEvent.Part part, boolean independent, Fragment fragment) {
        MediaBlock block = memory.allocate(fragment.sizeBytes());
        try {
            fragment.writeTo(block.bytes());
            FinishedPart finished =
                    new FinishedPart(
                            part.mediaSequence(),
                            segmentParts,
                            part.startUs(),
                            part.durationUs(),
                            independent,
                            block);
            Instant startsAt = part.programDateTime();
            target.add(finished, initNumber, startsAt, part.segmentIsDue());
            if (segmentParts == 0) {
                segmentStartUs = part.startUs();
            }
            mediaSequence = part.mediaSequence();
            segmentParts++;
            segmentUs += part.durationUs();
            segmentBytes += block.sizeBytes();
            toSink(each -> each.part(finished));
        } finally {
            block.release();
        }
    }

    /** The source's segment is complete. */
    void seal(SourceEvent.Sealed sealed) {
        LiveWindow target = window;
        if (target == null || segmentParts == 0) {
            return;
        }
        double rate = segmentUs == 0 ? 0 : segmentFrames * 1_000_000.0 / segmentUs;
        target.seal(sealed.targetDurationS(), sealed.partTargetUs(), rate);
        SealedSegment segment =
                new SealedSegment(
                        mediaSequence,
                        initNumber,
                        segmentStartUs,
                        segmentUs,
                        segmentParts,
                        segmentBytes);
        toSink(each -> each.sealed(segment));
        segmentParts = 0;
        segmentUs = 0;
        segmentBytes = 0;
        segmentFrames = 0;
    }

    /** The session has ended. */
    void end() {
        if (window != null) {
            window.end();
            toSink(PartSink::end);
        }
    }

    /** Releases the storage. Blocks. */
    void close() {
        stored.ifPresent(each -> each.close().run());
        stored = Optional.empty();
    }

    private void searchCaptions(LiveWindow target, Fragment.Run run) {
        var first = run.samples().getFirst().unit();
        if (!captionsSeen && first.isKeyFrame() && CaptionSearch.findsIn(first)) {
            captionsSeen = true;
            target.captionsSeen();
        }
    }

    private void toSink(Consumer<PartSink> action) {
        PartSink to = sink;
        if (to == null) {
            return;
        }
        try {
            action.accept(to);
        } catch (RuntimeException e) {
            sink = null;
            log.warn("rendition={} is no longer stored", name, e);
        }
    }
}
