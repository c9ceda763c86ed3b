package touchline.benchmarks.supply;

import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/** The OSV data set for Maven as files: the published zip, or a folder of JSON records. */
final class OsvData {
    private static final String SUFFIX = ".json";

    private OsvData() {}

    /**
     * @param place a folder, or a zip such as {@code Maven/all.zip} of the OSV bucket
     * @throws IOException it cannot be read, or holds no record
     */
    static List<Advisory> read(Path place) throws IOException {
        List<Advisory> advisories = Files.isDirectory(place) ? folder(place) : zip(place);
        if (advisories.isEmpty()) {
            throw new IOException(place + ": no OSV records (expected: *.json)");
        }
        return advisories;
    }

    private static List<Advisory> folder(Path folder) throws IOException {
        List<Advisory> advisories = new ArrayList<>();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file :
                    (Iterable<Path>) files.filter(it -> it.toString().endsWith(SUFFIX))::iterator) {
                try (InputStream in = Files.newInputStream(file)) {
                    advisories.add(new Advisory(new JsonMapper().readTree(in)));
                }
            }
        }
        return advisories;
    }

    private static List<Advisory> zip(Path file) throws IOException {
        List<Advisory> advisories = new ArrayList<>();
        try (ZipFile zip = new ZipFile(file.toFile())) {
            Enumeration<? extends ZipEntry> entries = zip.entries();
            while (entries.hasMoreElements()) {
                ZipEntry entry = entries.nextElement();
                if (entry.getName().endsWith(SUFFIX)) {
                    try (InputStream in = zip.getInputStream(entry)) {
                        advisories.add(new Advisory(new JsonMapper().readTree(in)));
                    }
                }
            }
        }
        return advisories;
    }
}
