package touchline.api.db;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import touchline.api.db.ImageRepository.Deletion;
import touchline.api.domain.Image;
import touchline.api.domain.ImageFile;
import touchline.api.domain.PageRequest;

/** Contract of {@link ImageRepository} on any database. */
abstract class ImageRepositoryContract {
    private ImageRepository images;

    abstract Database database();

    @BeforeEach
    void empty() {
        database()
                .with(
                        handle ->
                                handle.execute("UPDATE live_streams SET standby_image = NULL")
                                        + handle.execute("DELETE FROM images"));
        images = new ImageRepository(database());
    }

    private Image created(byte... bytes) {
        Image image = Image.create(640, 360, Samples.NOW);
        assertTrue(images.create(image, new ImageFile(bytes)));
        return image;
    }

    @Test
    void list_isNewestFirst_bytesAreKept() {
        Image first = created((byte) 1, (byte) -1);
        Image second = created((byte) 2);

        assertEquals(List.of(second, first), images.list(new PageRequest(1, 25)).items());
        assertEquals(Optional.of(first), images.find(first.id()));
        assertArrayEquals(new byte[] {1, -1}, images.file(first.id()).orElseThrow().bytes());
        assertEquals(Optional.empty(), images.file("img_nothing"));
    }

    @Test
    void create_largestImage_isStored_largerOneIsNot() {
        byte[] largest = new byte[Image.MAX_STORED_BYTES];
        assertEquals(
                largest.length, images.file(created(largest).id()).orElseThrow().bytes().length);
        assertThrows(
                IllegalArgumentException.class,
                () ->
                        images.create(
                                Image.create(1, 1, Samples.NOW),
                                new ImageFile(new byte[largest.length + 1])));
    }

    @Test
    void create_aboveTheLimit_isRefused() {
        database()
                .transact(
                        () -> {
                            for (int i = 0; i < ImageRepository.MAX_IMAGES; i++) {
                                created((byte) i);
                            }
                        });

        assertFalse(images.create(Image.create(1, 1, Samples.NOW), new ImageFile(new byte[1])));
    }

    @Test
    void delete_imageOfAStream_isRefusedUntilItNamesItNoMore() {
        Image image = created((byte) 1);
        database()
                .with(
                        handle -> {
                            StreamRows.insert(handle, Samples.fullStream());
                            return handle.execute(
                                    "UPDATE live_streams SET standby_image = ?", image.id());
                        });

        assertEquals(Deletion.IN_USE, images.delete(image.id()));
        database().with(handle -> handle.execute("UPDATE live_streams SET standby_image = NULL"));
        assertEquals(Deletion.DELETED, images.delete(image.id()));
        assertEquals(Deletion.NOT_FOUND, images.delete(image.id()));
    }
}
