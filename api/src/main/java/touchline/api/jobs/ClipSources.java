package touchline.api.jobs;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import touchline.api.asset.AssetLeases;
import touchline.api.asset.AssetService;
import touchline.api.domain.Asset;
import touchline.api.domain.AssetId;
import touchline.api.domain.AssetOrigin;
import touchline.packager.clip.ClipCutter;
import touchline.packager.record.Recording;

/** Leases of all sources of a clip. One thread, which closes it. */
final class ClipSources implements AutoCloseable {
    /** More than the longest segment, on both sides. */
    private static final long AROUND_US = 30_000_000;

    private final AssetService assets;
    private final List<AssetOrigin.Cut> ranges;
    private final Map<AssetId, AssetLeases.Use> leases = new HashMap<>();

    private ClipSources(AssetService assets, List<AssetOrigin.Cut> ranges) {
        this.assets = assets;
        this.ranges = ranges;
    }

    static ClipSources begin(Asset clip, AssetService assets) {
        ClipSources sources = new ClipSources(assets, clip.origin().ranges());
        for (AssetOrigin.Cut range : sources.ranges) {
            sources.leases.computeIfAbsent(range.source(), assets.uses()::begin);
        }
        return sources;
    }

    /**
     * The ranges with their recordings, each read once.
     *
     * @param progress gets the range whose source is read, for messages
     */
    List<ClipCutter.Part> parts(ClipProgress progress) throws IOException {
        Map<AssetId, ClipCutter.Source> read = new HashMap<>();
        List<ClipCutter.Part> parts = new ArrayList<>();
        for (AssetOrigin.Cut range : ranges) {
            ClipCutter.Source source = read.get(range.source());
            if (source == null) {
                progress.reads(parts.size());
                Path folder = assets.folders().of(range.source());
                assets.files().ensureHead(range.source());
                source = new ClipCutter.Source(Recording.load(folder), folder);
                read.put(range.source(), source);
            }
            assets.files().ensure(range.source(), media(source, range));
            parts.add(
                    new ClipCutter.Part(
                            source, new ClipCutter.Range(range.startUs(), range.endUs())));
        }
        return parts;
    }

    /**
     * The files of a range, with the frames around it that those at its ends need; and the first
     * segment of each timeline, which the asset's clock reads.
     */
    private static Set<Path> media(ClipCutter.Source source, AssetOrigin.Cut range) {
        Set<Path> files = new LinkedHashSet<>();
        long atUs = 0;
        int init = -1;
        for (Recording.Segment segment : source.recording().segments()) {
            boolean isInside =
                    atUs <= range.endUs() + AROUND_US
                            && atUs + segment.durationUs() >= range.startUs() - AROUND_US;
            if (isInside || segment.init() != init) {
                files.add(source.folder().resolve(segment.fileName()));
            }
            init = segment.init();
            atUs += segment.durationUs();
        }
        return files;
    }

    /** About as many bytes as the ranges behind the first one have. */
    static long copiedBytes(List<ClipCutter.Part> parts) {
        double bytes = 0;
        for (ClipCutter.Part part : parts.subList(1, parts.size())) {
            Recording recording = part.source().recording();
            long all = 0;
            for (Recording.Segment segment : recording.segments()) {
                all += segment.place().sizeBytes();
            }
            long us = part.range().endUs() - part.range().startUs();
            bytes += (double) all * us / Math.max(1, recording.durationUs());
        }
        return (long) bytes;
    }

    @Override
    public void close() {
        leases.values().forEach(AssetLeases.Use::close);
    }
}
