package touchline.api.home;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import touchline.api.asset.Renditions;
import touchline.packager.record.Recording;
import touchline.packager.record.StoredMp4;

/**
 * The files of an asset's folder that belong into S3. Unfinished and foreign files are left out.
 * Immutable.
 *
 * @param media names of files with segments, in order, each init segment's before the next one's
 * @param heads all others; the indexes last, and of them the asset's own
 */
record FolderContent(List<String> media, List<String> heads) {
    private static final Pattern MEDIA = Pattern.compile("s(\\d{1,18})-\\d{1,9}\\.m4s");
    private static final Pattern INIT = Pattern.compile("init\\d{1,9}\\.mp4");

    FolderContent {
        media = List.copyOf(media);
        heads = List.copyOf(heads);
    }

    /** Whether a name is that of a file with segments. */
    static boolean isMedia(String name) {
        return MEDIA.matcher(name.substring(name.lastIndexOf('/') + 1)).matches();
    }

    /** Whether a name is that of an init segment of the asset itself. */
    static boolean isInit(String name) {
        return INIT.matcher(name).matches();
    }

    /** Whether a name is one that this server gives to a file that belongs into S3. */
    static boolean isOurs(String name) {
        String scaled = Renditions.FOLDER + "/";
        String file = name.startsWith(scaled) ? name.substring(scaled.length()) : name;
        return (isMedia(file) && !file.contains("/"))
                || INIT.matcher(file).matches()
                || file.equals(Recording.INDEX)
                || file.equals(StoredMp4.HEAD)
                || name.equals(Renditions.REFUSED);
    }

    /**
     * Whether a file is the one that is stored. One that is only in S3 was removed here to free
     * space.
     *
     * @param bytes of the object
     */
    static boolean hasSize(Path file, long bytes) {
        try {
            return Files.size(file) == bytes;
        } catch (IOException _) {
            return true;
        }
    }

    /** Of a finished asset, with its scaled copy. */
    static FolderContent finished(Path folder) throws IOException {
        List<String> media = new ArrayList<>();
        List<String> heads = new ArrayList<>();
        for (String name : names(folder)) {
            (isMedia(name) ? media : heads).add(name);
        }
        media.sort(order());
        heads.sort(order());
        return new FolderContent(media, heads);
    }

    /**
     * Of an asset that is being recorded: files that are full, so that nothing is added to them,
     * and init segments. The recorder writes the file with the highest number.
     */
    static FolderContent growing(Path folder) throws IOException {
        FolderContent all = finished(folder);
        List<String> own = all.media().stream().filter(name -> name.indexOf('/') < 0).toList();
        return new FolderContent(
                own.isEmpty() ? own : own.subList(0, own.size() - 1),
                all.heads().stream().filter(FolderContent::isInit).toList());
    }

    private static List<String> names(Path folder) throws IOException {
        List<String> names = new ArrayList<>();
        add(folder, "", names);
        add(folder.resolve(Renditions.FOLDER), Renditions.FOLDER + "/", names);
        return names;
    }

    private static void add(Path folder, String prefix, List<String> names) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, Files::isRegularFile)) {
            for (Path file : files) {
                String name = prefix + file.getFileName();
                if (isOurs(name)) {
                    names.add(name);
                }
            }
        } catch (NoSuchFileException | NotDirectoryException e) {
            if (prefix.isEmpty()) {
                throw e;
            }
            // There is no scaled copy.
        }
    }

    /** By number; indexes behind everything that they name. */
    private static Comparator<String> order() {
        return Comparator.comparing((String name) -> name.endsWith(Recording.INDEX))
                .thenComparing(name -> name.equals(Recording.INDEX))
                .thenComparing(name -> name.indexOf('/') >= 0)
                .thenComparing(name -> number(name).orElse(-1L))
                .thenComparing(Comparator.naturalOrder());
    }

    private static Optional<Long> number(String name) {
        Matcher media = MEDIA.matcher(name.substring(name.lastIndexOf('/') + 1));
        return media.matches() ? Optional.of(Long.valueOf(media.group(1))) : Optional.empty();
    }
}
